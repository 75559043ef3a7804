import { holds, on, refused, same } from "./suite";

const NOBODY = "01890000-0000-7000-8000-000000000000";

/** The wizard, as far as it goes without an agent. */
export const WIZARD = on("sample", {
  "each phase has a shape, and templates have names": async (backend) => {
    const shapes = await backend.wizardShapes();
    same([...new Set(shapes.map(({ phase }) => phase))].length, shapes.length, "one shape for each phase");
    holds((await backend.wizardTemplates()).length > 0, "there are templates");
  },
  "a plan is begun, edited by revision, listed and discarded": async (backend) => {
    const { project } = await backend.overview();
    const templates = await backend.wizardTemplates();
    const template = templates[0]?.name ?? "";
    const start = {
      folder: project.path,
      idea: "A diary of teas",
      documents: [],
      from_code: false,
      template,
      agent: null,
    };
    const { wizard } = await backend.newWizard(start);
    same([wizard.input.idea, wizard.template], ["A diary of teas", template]);
    same(
      (await backend.wizards()).map(({ id }) => id),
      [wizard.id],
      "what is under way",
    );
    const edit = { do: "set_idea" as const, idea: "A diary of teas and cakes" };
    const edited = await backend.editWizard(wizard.id, edit, wizard.revision);
    same(edited.wizard.input.idea, edit.idea, "the idea");
    holds(edited.wizard.revision > wizard.revision, "an edit is a revision of its own");
    await refused("wizard.changed", backend.editWizard(wizard.id, edit, wizard.revision));
    same((await backend.wizardLaunch(wizard.id)).ready, false, "whether it can be started");
    await backend.discardWizard(wizard.id);
    same(await backend.wizards(), [], "what is under way in the end");
    await refused("wizard.not_found", backend.wizard(wizard.id));
  },
  "a plan that is not there is refused": async (backend) => {
    await refused("wizard.not_found", backend.wizard(NOBODY));
    await refused("wizard.not_found", backend.editWizard(NOBODY, { do: "set_idea", idea: "" }, null));
    await refused("wizard.not_found", backend.wizardLaunch(NOBODY));
  },
});
