//! Addresses of web pages that an agent's words lead to. A person sees the whole address before anything opens it.

use loopwright_domain::{ErrorCode, Fault};
use tauri::Url;

use super::Question;

/// Longer addresses are no longer read by anybody.
const LONGEST: usize = 2000;
/// A dialog does not break an address by itself.
const LINE: usize = 80;

/// An address that may be opened: plain http or https, in the one spelling that the browser gets too.
///
/// # Errors
/// It is anything else.
pub(crate) fn checked(text: &str) -> Result<Url, Fault> {
    let refused =
        |why: &str| Fault::new(ErrorCode::UsageInvalid, why).hint("Copy the address and look at it first.");
    if text.len() > LONGEST || text.chars().any(char::is_control) {
        return Err(refused("the address is too long or not plain text"));
    }
    let url = Url::parse(text).map_err(|_| refused("this is no web address"))?;
    if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none_or(str::is_empty) {
        return Err(refused("only pages of the web can be opened"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(refused(
            "the address holds a name or a password, which can make it look like another one",
        ));
    }
    if url.as_str().len() > LONGEST {
        return Err(refused("the address is too long"));
    }
    Ok(url)
}

/// What the person is asked before a page opens. Foreign letters are shown by their code, as in the address itself.
pub(crate) fn question(url: &Url) -> Question {
    let host = url.host_str().unwrap_or_default();
    let foreign = host.split('.').any(|label| label.starts_with("xn--"));
    let warning =
        if foreign { "\n\nIts name is written with letters that can look like others." } else { "" };
    Question {
        title: format!("Open {host} in your browser?"),
        text: format!("{}{warning}", broken(url.as_str())),
        yes: "Open the page".into(),
    }
}

/// The same text in lines of one length.
fn broken(text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    letters.chunks(LINE).map(|line| line.iter().collect::<String>()).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{any, prop_assert, proptest};

    use super::*;

    #[test]
    fn only_plain_web_addresses_are_opened() {
        for good in ["https://example.org", "http://example.org:8080/a?b=c#d", "HTTPS://EXAMPLE.ORG/"] {
            assert!(checked(good).is_ok(), "{good}");
        }
        for bad in [
            "",
            "example.org",
            "file:///etc/passwd",
            "javascript:alert(1)",
            "data:text/html,x",
            "vscode://file/x",
            "smb://host/share",
            "https://",
            "https://bank.example@evil.example/",
            "https://a:b@evil.example/",
            "https://example.org/\u{0}",
            "https://example.org/\nhttps://evil.example",
        ] {
            assert_eq!(checked(bad).map_err(|fault| fault.code), Err(ErrorCode::UsageInvalid), "{bad}");
        }
        assert!(checked(&format!("https://example.org/{}", "a".repeat(LONGEST))).is_err());
        assert!(checked(&format!("https://example.org/{}", "ü".repeat(LONGEST / 3))).is_err());
    }

    #[test]
    fn letters_that_look_like_others_are_shown_by_their_code() {
        // The first letter is a Cyrillic one.
        let url = checked("https://\u{430}pple.example/\u{202e}gpj.exe").unwrap();
        let question = question(&url);
        assert!(question.title.contains("xn--pple-43d.example"), "{}", question.title);
        assert!(question.text.contains("%E2%80%AEgpj.exe"), "{}", question.text);
        assert!(question.text.contains("look like others"), "{}", question.text);
        let plain = super::question(&checked("https://example.org/a").unwrap());
        assert_eq!(plain.text, "https://example.org/a");
    }

    #[test]
    fn a_long_address_is_shown_whole_and_in_lines() {
        let address = format!("https://example.org/{}", "a".repeat(500));
        let question = question(&checked(&address).unwrap());
        assert!(question.text.lines().all(|line| line.len() <= LINE));
        assert_eq!(question.text.replace('\n', ""), address);
    }

    proptest! {
        #[test]
        fn whatever_is_shown_is_plain_ascii(rest in any::<String>()) {
            if let Ok(url) = checked(&format!("https://example.org/{rest}")) {
                let question = question(&url);
                prop_assert!(question.text.bytes().all(|byte| byte == b'\n' || (0x20..0x7f).contains(&byte)));
                prop_assert!(question.title.is_ascii());
            }
        }
    }
}
