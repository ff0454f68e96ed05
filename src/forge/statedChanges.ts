/** How much a patch changes, as its mail states below the `---` line. Nobody has checked it. */
export interface StatedChanges {
	readonly files: number;
	readonly insertions: number;
	readonly deletions: number;
}

const summary = /^ (\d{1,9}) files? changed(?:, (\d{1,9}) insertions?\(\+\))?(?:, (\d{1,9}) deletions?\(-\))?\r?$/m;

/** The summary comes early; what follows is the patch itself. */
const searched = 100_000;

/**
 * Reads the summary that git writes before a patch, out of an envelope that may still be quoted-printable. `undefined`
 * where there is none, or where it cannot be read without decoding.
 */
export function statedChanges(envelope: string): StatedChanges | undefined {
	const start = envelope.slice(0, searched);
	const diff = start.search(/^diff --git /m);
	const [, files, insertions, deletions] = summary.exec(diff === -1 ? start : start.slice(0, diff)) ?? [];
	return files === undefined
		? undefined
		: { files: Number(files), insertions: Number(insertions ?? 0), deletions: Number(deletions ?? 0) };
}
