/** Change counts that a mail states below its `---` line. Unverified. */
export interface StatedChanges {
	readonly files: number;
	readonly insertions: number;
	readonly deletions: number;
}

const summary = /^ (\d{1,9}) files? changed(?:, (\d{1,9}) insertions?\(\+\))?(?:, (\d{1,9}) deletions?\(-\))?\r?$/m;

/** Search limit in characters: the summary precedes the patch. */
const searched = 100_000;

/**
 * Parses git's summary from an envelope, possibly quoted-printable. `undefined` if missing, or unreadable without
 * decoding.
 */
export function statedChanges(envelope: string): StatedChanges | undefined {
	const start = envelope.slice(0, searched);
	const diff = start.search(/^diff --git /m);
	const [, files, insertions, deletions] = summary.exec(diff === -1 ? start : start.slice(0, diff)) ?? [];
	return files === undefined
		? undefined
		: { files: Number(files), insertions: Number(insertions ?? 0), deletions: Number(deletions ?? 0) };
}
