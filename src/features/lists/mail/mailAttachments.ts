import { safeFileName } from '../../../engine/text/fileName.ts';

/** A safe file name for an attachment: never a path, a device name, hidden or empty. */
export function attachmentFileName(name: string | undefined, index: number): string {
	return safeFileName(name ?? '', `attachment-${index + 1}`);
}
