#!/usr/bin/python
# Copyright: the founders of yamlift
# MIT or Apache-2.0
from __future__ import annotations

DOCUMENTATION = r"""
module: yamlift
short_description: Upgrade a YAML configuration to the default of a new release
version_added: 0.1.0
description:
  - Brings a configuration on the host up to a new default with the program C(yamlift), which has to be installed there.
  - Values of the file stay as they are written, new keys come in with their comments, and order, comments and indentation
    follow the new default. The result is checked by a second parser before the file is replaced in one step.
  - A file that does not exist is installed.
author:
  - the founders of yamlift (@yamlift)
options:
  path:
    description: The configuration.
    type: path
    required: true
    aliases: [config, dest]
  default:
    description: The new default, on the host, where the package of the release has put it.
    type: path
    required: true
    aliases: [src]
  base:
    description:
      - The default that the configuration was made from. What nobody touched follows the new default then, and what was removed
        stays away.
    type: path
  remember:
    description:
      - A directory on the host in which the new default is kept, for the next upgrade, which takes it as O(base).
    type: path
  migration:
    description: The migration file of the release, on the host, which says what becomes of old keys.
    type: path
  migrate_from:
    description: The version that the configuration is of; steps of O(migration) up to it are left out.
    type: str
  on_conflict:
    description:
      - What happens where both the configuration and the release changed a value. V(user) keeps the one of the configuration,
        V(update) takes the new default, V(fail) fails with all conflicts in RV(error).
    type: str
    choices: [user, update, fail]
    default: user
  answers:
    description: A file of answers to conflicts, on the host, as C(yamlift upgrade --ask) writes it.
    type: path
  fail_on_unknown:
    description: Fail where the configuration has keys that no default knows.
    type: bool
    default: false
  sparse:
    description: Keep a file that holds only what somebody changed as it is, but for moves, conversions and deletions.
    type: bool
    default: false
  keep_defaults:
    description: Keep values that nobody touched, though the release changed their default.
    type: bool
    default: false
  keep_obsolete:
    description: Keep values that nobody touched, though the release dropped them.
    type: bool
    default: false
  restore_deleted:
    description: Bring in what was commented out and, with the old default, what was removed.
    type: bool
    default: false
  delete:
    description: Paths that are removed first, so that the new default comes in there, such as V(server/port).
    type: list
    elements: str
    default: []
  move:
    description: Values that go to another path first; old paths with their new ones.
    type: dict
    default: {}
  variables:
    description: What C(#{name}) in the default stands for. The values are given in the environment, and so in no list of processes.
    type: dict
    default: {}
  secret:
    description:
      - Paths whose values nothing shows, such as V(**/dsn). Values of keys with names like C(password) are never shown.
    type: list
    elements: str
    default: []
  must_exist:
    description: Fail where the configuration does not exist, instead of installing the default.
    type: bool
    default: false
  backup:
    description: Keep the old file beside the new one.
    type: bool
    default: true
  backup_dir:
    description: Keep the old file in this directory.
    type: path
  keep_backups:
    description: Remove the oldest backups until so many are left.
    type: int
  validate:
    description: A command that looks at the result first; V(%s) stands for its file. Without it nothing is changed unless it ends with 0.
    type: str
  executable:
    description: The program, where it is not found in the path.
    type: path
extends_documentation_fragment:
  - ansible.builtin.files
attributes:
  check_mode:
    description: Tells what would be done, and changes nothing.
    support: full
  diff_mode:
    description: Shows the difference, with secrets masked.
    support: full
requirements:
  - yamlift
notes:
  - The task is idempotent; a second run with the same default changes nothing.
"""

EXAMPLES = r"""
- name: Bring the configuration up to the default of the package
  yamlift.config.yamlift:
    path: /etc/app/config.yml
    default: /usr/share/app/config.yml
    remember: /var/lib/app/defaults
    validate: app --check-config %s
  notify: Restart app

- name: Refuse what needs a decision
  yamlift.config.yamlift:
    path: /etc/app/config.yml
    default: /usr/share/app/config.yml
    base: /usr/share/app/config.old.yml
    on_conflict: fail
    secret: ['**/dsn']
"""

RETURN = r"""
status:
  description: What became of the file.
  returned: success
  type: str
  sample: changed
summary:
  description: The entries of the report in numbers.
  returned: success
  type: dict
  sample: {added: 2, conflicts: 0}
changes:
  description: The entries of the report, each with its kind, path, line and text.
  returned: success
  type: list
  elements: dict
conflicts:
  description: Those of RV(changes) in which both the configuration and the release changed a value.
  returned: success
  type: list
  elements: dict
backup_file:
  description: Where the old file is kept.
  returned: where one is
  type: str
  sample: /etc/app/config.yml.20260101120000Z
error:
  description: What was refused, with its kind, file, line, column, message, help and conflicts.
  returned: failure
  type: dict
"""

import json

from ansible.module_utils.basic import AnsibleModule

CONFLICTS = ("both-changed", "both-added", "conflict-taken", "both-set")


def arguments():
    return dict(
        path=dict(type="path", required=True, aliases=["config", "dest"]),
        default=dict(type="path", required=True, aliases=["src"]),
        base=dict(type="path"),
        remember=dict(type="path"),
        migration=dict(type="path"),
        migrate_from=dict(type="str"),
        on_conflict=dict(type="str", choices=["user", "update", "fail"], default="user"),
        answers=dict(type="path"),
        fail_on_unknown=dict(type="bool", default=False),
        sparse=dict(type="bool", default=False),
        keep_defaults=dict(type="bool", default=False),
        keep_obsolete=dict(type="bool", default=False),
        restore_deleted=dict(type="bool", default=False),
        delete=dict(type="list", elements="str", default=[]),
        move=dict(type="dict", default={}),
        variables=dict(type="dict", default={}),
        secret=dict(type="list", elements="str", default=[], no_log=False),
        must_exist=dict(type="bool", default=False),
        backup=dict(type="bool", default=True),
        backup_dir=dict(type="path"),
        keep_backups=dict(type="int"),
        validate=dict(type="str"),
        executable=dict(type="path"),
    )


def command(module):
    """The call of yamlift, without the two files."""
    params = module.params
    program = params["executable"] or module.get_bin_path("yamlift", required=True)
    words = [program, "upgrade", "--format", "json", "--color", "never", "--on-conflict", params["on_conflict"]]
    for name in ("base", "remember", "migration", "answers", "backup_dir", "keep_backups", "validate"):
        if params[name] is not None:
            words.append("--%s=%s" % (name.replace("_", "-"), params[name]))
    if params["migrate_from"] is not None:
        words.append("--from=%s" % params["migrate_from"])
    for name in ("sparse", "keep_defaults", "keep_obsolete", "restore_deleted", "must_exist"):
        if params[name]:
            words.append("--" + name.replace("_", "-"))
    if params["fail_on_unknown"]:
        words.append("--fail-on=unknown")
    if not params["backup"]:
        words.append("--no-backup")
    words += ["--delete=%s" % path for path in params["delete"]]
    words += ["--move=%s=%s" % move for move in sorted(params["move"].items())]
    words += ["--secret=%s" % path for path in params["secret"]]
    words += ["--env=%s" % name for name in sorted(params["variables"])]
    if module.check_mode:
        words.append("--dry-run")
    if module._diff:
        words.append("--diff=lines")
    return words


def run(module):
    """Runs yamlift; its exit status and the document that it printed."""
    params = module.params
    variables = {name: str(value) for name, value in params["variables"].items()}
    call = command(module) + ["--", params["path"], params["default"]]
    status, printed, said = module.run_command(call, environ_update=variables)
    try:
        return status, json.loads(printed)
    except ValueError:
        module.fail_json(msg="yamlift ended with %d and printed no document" % status, rc=status, stderr=said)


def main():
    module = AnsibleModule(
        argument_spec=arguments(),
        supports_check_mode=True,
        add_file_common_args=True,
        mutually_exclusive=[["keep_defaults", "sparse"]],
        required_by={"migrate_from": ["migration"]},
    )
    status, document = run(module)
    if document["status"] == "refused":
        error = document["error"]
        place = ":".join(str(error[part]) for part in ("file", "line", "column") if error.get(part) is not None)
        message = "%s: %s" % (place, error["message"]) if place else error["message"]
        module.fail_json(msg=message, rc=status, error=error)

    result = dict(
        changed=document["status"] != "unchanged",
        status=document["status"],
        summary=document["summary"],
        changes=document["changes"],
        conflicts=[change for change in document["changes"] if change["kind"] in CONFLICTS],
    )
    if document.get("backup"):
        result["backup_file"] = document["backup"]
    if module._diff:
        result["diff"] = dict(prepared=document.get("diff") or "")
    for warning in document["warnings"]:
        module.warn(warning)
    if status == 5:
        module.fail_json(msg="the file was replaced, but what had to follow failed", rc=status, **result)
    # In check mode a file that would be installed has no attributes yet.
    if not (module.check_mode and document["status"] == "installed"):
        wanted = module.load_file_common_arguments(module.params)
        result["changed"] = module.set_fs_attributes_if_different(wanted, result["changed"])
    module.exit_json(**result)


if __name__ == "__main__":
    main()
