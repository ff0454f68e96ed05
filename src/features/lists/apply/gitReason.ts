import { visibleLine } from '../../../text/visible.ts';

const longest = 200;

/** The first reason that git gives among its last words, without its mark and full stop; empty where it gives none. */
export function gitReason(complaint: string): string {
	const [, reason = ''] = /^(?:(?:error|fatal): |(?=Patch is empty))(.+)$/m.exec(complaint) ?? [];
	return visibleLine(reason.slice(0, longest).trim().replace(/[.:]$/, ''));
}
