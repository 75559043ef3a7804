//! `loopwright spec templates`.

use std::process::ExitCode;

use loopwright_domain::Fault;
use loopwright_engine::spec::SpecTemplate;

use crate::args::TemplateCommand;
use crate::context::Context;
use crate::output::{self, HEADING, QUIET, plain, plain_text, say, styled};

pub(super) fn run(context: &Context, command: &TemplateCommand) -> Result<ExitCode, Fault> {
    let project = context.project()?;
    match command {
        TemplateCommand::List => {
            let all = project.spec().templates()?;
            if context.json {
                return output::json(&all);
            }
            all.iter().for_each(tell);
        }
        TemplateCommand::Show { name } => {
            let template = project.spec().template(name)?;
            if context.json {
                return output::json(&template);
            }
            say!("{}", plain_text(template.text.trim_end()));
        }
        TemplateCommand::New { name, from } => {
            let template = project.spec().new_template(name, from)?;
            if context.json {
                return output::json(&template);
            }
            say!(
                "Made {}. Edit it: headings are the sections, the text below them is guidance.",
                file(&template)
            );
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn tell(template: &SpecTemplate) {
    let place = styled(QUIET, format!("  {}", file(template)));
    say!("{}  {}{place}", styled(HEADING, plain(&template.name)), plain(&template.title));
    let sections: Vec<String> = template.sections.iter().map(|section| plain(&section.title)).collect();
    say!("  {}", sections.join(" · "));
}

fn file(template: &SpecTemplate) -> String {
    template.file.as_deref().map_or_else(|| "built in".to_owned(), plain)
}
