import { safeFileName } from '../../../text/fileName.ts';

/** The name under which an attachment is offered to be saved: never a path, a device, hidden or empty. */
export function attachmentFileName(name: string | undefined, index: number): string {
	return safeFileName(name ?? '', `attachment-${index + 1}`);
}
