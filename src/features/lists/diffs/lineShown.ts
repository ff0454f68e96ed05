import type { FileOpening } from '../../../patchDocuments/patchDiffs.ts';
import type { PatchFiles } from '../../../patchDocuments/patchFiles.ts';

/**
 * Line for an offset of the patch text, in the primary document (the changed side of a diff). A removed line maps to
 * its successor. `undefined` if the document shows no line of the patch.
 */
export async function firstLineShown(
	files: Pick<PatchFiles, 'lines'>,
	opening: FileOpening,
	at: number,
	signal: AbortSignal,
): Promise<number | undefined> {
	const shown = await files.lines(opening.kind === 'sides' ? opening.after : opening.uri, signal);
	const lines = shown?.lines ?? [];
	return (lines.find(({ end }) => end >= at) ?? lines.at(-1))?.line;
}
