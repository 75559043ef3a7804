use std::ffi::{OsStr, OsString};
use std::path::Path;

use loopwright_config::editors::CHOICES;

use super::*;

#[test]
fn each_editor_is_told_the_line_in_its_own_way() {
    let told = |name: &str, line| {
        let known = EDITORS.iter().find(|known| known.name == name).unwrap();
        arguments(known.style, Path::new("/p/a b.rs"), line)
            .into_iter()
            .map(|argument| argument.into_string().unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!(told("code", Some(7)), ["--goto", "/p/a b.rs:7"]);
    assert_eq!(told("zed", Some(7)), ["/p/a b.rs:7"]);
    assert_eq!(told("idea", Some(7)), ["--line", "7", "/p/a b.rs"]);
    assert_eq!(told("gedit", Some(7)), ["+7", "/p/a b.rs"]);
    assert_eq!(told("notepad++", Some(7)), ["-n7", "/p/a b.rs"]);
    for known in &EDITORS {
        assert_eq!(told(known.name, None), ["/p/a b.rs"]);
        assert_eq!(told(known.name, Some(0)), ["/p/a b.rs"]);
    }
}

#[test]
fn every_name_is_a_choice_and_there_is_one_of_each() {
    let known = EDITORS.iter().map(|editor| editor.name);
    assert_eq!([AUTO, SYSTEM].into_iter().chain(known).collect::<Vec<_>>(), CHOICES);
    let mut names = CHOICES.to_vec();
    assert_eq!(&names[..3], ["auto", "system", "code"]);
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), CHOICES.len());
}

#[cfg(unix)]
mod on_disk {
    use std::fs;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn host_with(folder: &Path, programs: &[&str]) -> Host {
        let bin = folder.join("bin");
        fs::create_dir_all(&bin).unwrap();
        for program in programs {
            let file = bin.join(program);
            fs::write(&file, "#!/bin/sh\nprintf '%s\\n' \"$@\" \"$MARK\" > \"$OUT\"\n").unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        }
        Host::in_folder(folder, bin.into_os_string())
    }

    #[test]
    fn a_chosen_editor_that_is_missing_is_named_and_auto_takes_the_first_one_there_is() {
        let folder = tempfile::tempdir().unwrap();
        let host = host_with(folder.path(), &["zeditor", "subl"]);
        let fault = Opener::chosen(&host, "clion").unwrap_err();
        assert_eq!(fault.code, ErrorCode::ProcessMissing);
        assert!(fault.message.contains("clion"), "{}", fault.message);
        let Ok(Opener::Editor(editor)) = Opener::chosen(&host, "zed") else { panic!("zeditor is zed") };
        assert_eq!((editor.name(), editor.program), ("zed", folder.path().join("bin/zeditor")));
        assert_eq!(Opener::chosen(&host, "system"), Ok(Opener::System));
    }

    #[test]
    fn commands_are_also_found_where_the_search_path_does_not_look() {
        let folder = tempfile::tempdir().unwrap();
        let mut host = host_with(folder.path(), &[]);
        let home = host_with(&folder.path().join(".local"), &["rustrover"]);
        assert!(Opener::chosen(&host, "rustrover").is_err());
        host.environment.insert("HOME".into(), folder.path().into());
        let Ok(Opener::Editor(editor)) = Opener::chosen(&host, "rustrover") else { panic!("it is there") };
        assert_eq!(editor.program.parent().unwrap().as_os_str(), home.search_path);
    }

    #[test]
    fn an_editor_gets_file_and_line_as_they_are_and_the_users_environment() {
        let folder = tempfile::tempdir().unwrap();
        let mut host = host_with(folder.path(), &["code"]);
        let out = folder.path().join("out");
        for (name, value) in [("OUT", out.to_str().unwrap()), ("MARK", "$(here)"), ("LOOPWRIGHT_X", "1")] {
            host.environment.insert(name.into(), value.into());
        }
        host.variables.insert("LOOPWRIGHT_X".into(), "1".into());
        let file = folder.path().join("a; touch $HOME `b`.rs");
        fs::write(&file, "").unwrap();
        let Ok(Opener::Editor(editor)) = Opener::chosen(&host, "auto") else { panic!("code is there") };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async { editor.open(&host, &file, Some(3)) }).unwrap();
        let expected = format!("--goto\n{}:3\n$(here)\n", file.display());
        let written = || fs::read_to_string(&out).is_ok_and(|text| text == expected);
        loopwright_testkit::eventually("the editor has written its arguments", written);
        assert!(!own_environment(&host).contains_key(OsStr::new("LOOPWRIGHT_X")));
    }

    #[test]
    fn what_an_app_image_adds_for_itself_stays_behind() {
        let folder = tempfile::tempdir().unwrap();
        let mut host = host_with(folder.path(), &[]);
        for (name, value) in [
            ("APPDIR", "/tmp/.mount_x"),
            ("PATH", "/tmp/.mount_x/usr/bin:/usr/bin"),
            ("LD_LIBRARY_PATH", "/tmp/.mount_x/usr/lib"),
            ("LANG", "de_DE.UTF-8"),
        ] {
            host.environment.insert(name.into(), value.into());
        }
        let kept: Vec<(OsString, OsString)> = own_environment(&host).into_iter().collect();
        assert_eq!(kept, [("LANG".into(), "de_DE.UTF-8".into()), ("PATH".into(), "/usr/bin".into())]);
    }

    #[test]
    fn a_text_comes_back_as_the_persons_editor_leaves_it() {
        let folder = tempfile::tempdir().unwrap();
        let mut host = host_with(folder.path(), &["plain"]);
        let editor = folder.path().join("bin/append");
        fs::write(&editor, "#!/bin/sh\nprintf '%s\\n' \"$1\" >> \"$2\"\n").unwrap();
        fs::set_permissions(&editor, fs::Permissions::from_mode(0o755)).unwrap();
        let fault = edit_text(&host, "task.toml", "").unwrap_err();
        assert_eq!(fault.code, ErrorCode::ProcessMissing, "there is no vi on this path");
        host.environment.insert("EDITOR".into(), "append 'two words'".into());
        assert_eq!(edit_text(&host, "task.toml", "one\n").unwrap(), "one\ntwo words\n");
        host.environment.insert("VISUAL".into(), "plain".into());
        let fault = edit_text(&host, "task.toml", "one\n").unwrap_err();
        assert!(fault.message.contains("nothing was changed"), "{}", fault.message);
    }
}
