//! A value as JSON, for what speaks of JSON: schemas.

use serde_json::{Map, Number, Value as Json};

use super::{Content, Scalar, Schema, Type, Value};

impl Value<'_> {
    /// What it means by a schema of scalars. Numbers that JSON has not are the largest that it has, dates are texts.
    pub(crate) fn json(&self, schema: Schema) -> Json {
        match self.content() {
            Content::Scalar(scalar) => of_scalar(scalar, schema),
            Content::List(items) => Json::Array(items.iter().map(|item| item.json(schema)).collect()),
            Content::Map(entries) => {
                let entry = |entry: &Value<'_>| (entry.name().to_owned(), entry.json(schema));
                Json::Object(entries.iter().map(entry).collect::<Map<_, _>>())
            }
        }
    }
}

fn of_scalar(scalar: &Scalar<'_>, schema: Schema) -> Json {
    match scalar.kind(schema) {
        Type::Null => Json::Null,
        Type::Bool(yes) => Json::Bool(yes),
        Type::Int(number) => match (i64::try_from(number), u64::try_from(number)) {
            (Ok(number), _) => Json::Number(number.into()),
            (_, Ok(number)) => Json::Number(number.into()),
            #[expect(clippy::cast_precision_loss, reason = "JSON has no number that is nearer")]
            _ => of_float(number as f64),
        },
        Type::Float(number) => of_float(number),
        Type::Text | Type::Timestamp | Type::Tagged => Json::String(scalar.text.to_string()),
    }
}

fn of_float(number: f64) -> Json {
    let most = f64::MAX.copysign(number);
    Number::from_f64(number).or_else(|| Number::from_f64(most)).map_or(Json::Null, Json::Number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::values::Layer;
    use crate::yaml::reference::Duplicates;

    #[test]
    fn values_are_what_their_schema_says() {
        let text = "{a: [yes, 0o7, 1.5, -.inf, 18446744073709551616], 2: null, b: 2001-02-03, c: 'x'}\n";
        let layer = Layer { name: "x".to_owned(), text: text.to_owned() };
        let value = layer.read(0, Duplicates::Refused).unwrap().documents.remove(0);
        let expected = r#"{"a":[true,"0o7",1.5,-1.7976931348623157e+308,1.8446744073709552e+19],"2":null,"b":"2001-02-03","c":"x"}"#;
        assert_eq!(value.json(Schema::Yaml11).to_string(), expected);
        assert_eq!(value.json(Schema::Core)["a"][0], "yes");
    }
}
