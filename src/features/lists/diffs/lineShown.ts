import type { FileOpening } from '../../../patchDocuments/patchDiffs.ts';
import type { PatchFiles } from '../../../patchDocuments/patchFiles.ts';

/**
 * The line of the document that the editor puts first, the changed side of two, at which an offset of the patch's text is
 * shown; for a removed line the one that follows it. `undefined` where it shows no line of the patch.
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
