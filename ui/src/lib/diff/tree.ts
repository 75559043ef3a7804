import type { DiffFile } from "$lib/backend/types";

/** What is shown in one row of a tree of files. */
export type TreeRow =
  | { kind: "folder"; path: string; name: string; depth: number; open: boolean; count: number }
  | { kind: "file"; path: string; name: string; folder: string; depth: number; file: DiffFile };

interface Folder {
  name: string;
  path: string;
  folders: Map<string, Folder>;
  files: DiffFile[];
  count: number;
}

/** The files that speak of every word of a text, by their old or new path. */
export function filtered(files: readonly DiffFile[], text: string): DiffFile[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return files.filter((file) => {
    const paths = `${file.path} ${file.old_path ?? ""}`.toLowerCase();
    return words.every((word) => paths.includes(word));
  });
}

/**
 * The rows of a tree: folders before files, both by name. Folders that hold nothing but one folder are one row with it,
 * and so is a folder that holds nothing but one file.
 */
export function treeRows(files: readonly DiffFile[], closed: ReadonlySet<string>): TreeRow[] {
  const root: Folder = { name: "", path: "", folders: new Map(), files: [], count: 0 };
  for (const file of files) {
    let folder = root;
    for (const part of file.path.split("/").slice(0, -1)) {
      folder = childOf(folder, part);
      folder.count++;
    }
    folder.files.push(file);
  }
  const rows: TreeRow[] = [];
  addRows(root, 0, closed, rows);
  return rows;
}

function childOf(folder: Folder, name: string): Folder {
  const known = folder.folders.get(name);
  if (known) {
    return known;
  }
  const path = folder.path === "" ? name : `${folder.path}/${name}`;
  const child: Folder = { name, path, folders: new Map(), files: [], count: 0 };
  folder.folders.set(name, child);
  return child;
}

function addRows(folder: Folder, depth: number, closed: ReadonlySet<string>, rows: TreeRow[]): void {
  for (const child of byName([...folder.folders.values()], (each) => each.name)) {
    const { folder: last, name } = chain(child);
    const [only] = last.files;
    if (only && last.count === 1) {
      rows.push(fileRow(only, depth, name));
      continue;
    }
    const open = !closed.has(last.path);
    rows.push({ kind: "folder", path: last.path, name, depth, open, count: last.count });
    if (open) {
      addRows(last, depth + 1, closed, rows);
    }
  }
  for (const file of byName(folder.files, (each) => each.path)) {
    rows.push(fileRow(file, depth));
  }
}

function fileRow(file: DiffFile, depth: number, folder = ""): TreeRow {
  return { kind: "file", path: file.path, name: nameOf(file.path), folder, depth, file };
}

function chain(folder: Folder): { folder: Folder; name: string } {
  let [last, name] = [folder, folder.name];
  for (;;) {
    const [only] = last.folders.values();
    if (!only || last.folders.size > 1 || last.files.length > 0) {
      return { folder: last, name };
    }
    [last, name] = [only, `${name}/${only.name}`];
  }
}

const names = new Intl.Collator("en", { numeric: true });

function byName<T>(items: T[], name: (item: T) => string): T[] {
  return items.sort((left, right) => names.compare(name(left), name(right)));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
