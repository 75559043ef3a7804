import type {
  NewSection,
  SectionDetail,
  SectionId,
  SectionQuality,
  SectionRevision,
  SectionText,
  SpecHit,
  SpecView,
  TaskId,
  Term,
  TermDraft,
} from "./types";
import type { Unsubscribe } from "./backend";

/** The spec: its tree, one section, searching, writing, and terms. */
export interface SpecBackend {
  specView(): Promise<SpecView>;
  specSection(id: SectionId): Promise<SectionDetail>;
  /** What a section said before, the newest first. */
  sectionHistory(id: SectionId): Promise<SectionRevision[]>;
  /** The sections that speak of some words, best first. */
  searchSpec(text: string): Promise<SpecHit[]>;
  /** How good a section would be with another text. Nothing is written. */
  judgeSection(id: SectionId, content: string): Promise<SectionQuality>;
  /** Refused with `section.changed` when `seen`, its version when it was read, is no longer true. */
  saveSection(id: SectionId, seen: string, text: SectionText): Promise<SectionDetail>;
  addSection(section: NewSection): Promise<SectionId>;
  removeSections(ids: SectionId[]): Promise<SpecView>;
  /** Accepts finished tasks as they are, though their sections changed since. */
  acceptTasks(ids: TaskId[]): Promise<void>;
  putTerm(term: TermDraft): Promise<Term>;
  removeTerm(name: string): Promise<void>;
  /** Calls back with the full paths of files that were dropped on the window. They count as chosen. */
  onFilesDropped(callback: (paths: string[]) => void): Unsubscribe;
  /** Calls back when files are dragged over the window, and when they no longer are. */
  onFilesOver(callback: (over: boolean) => void): Unsubscribe;
}
