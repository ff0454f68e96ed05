import { visibleLine } from '../../../engine/text/visible.ts';

const longest = 200;

/** The first `error:` or `fatal:` of git's output, without prefix and full stop; empty if there is none. */
export function gitReason(complaint: string): string {
	const [, reason = ''] = /^(?:(?:error|fatal): |(?=Patch is empty))(.+)$/m.exec(complaint) ?? [];
	return visibleLine(reason.slice(0, longest).trim().replace(/[.:]$/, ''));
}
