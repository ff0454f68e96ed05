import { shortLine } from '../../engine/text/visible.ts';

/** Name of a reply draft without a known person. */
export const unnamedReply = 'reply';

const longest = 60;

/** Name of a reply draft: the answered person as a path segment. */
export function replyName(person: string): string {
	const name = shortLine(person, longest).replaceAll(/[/\\]/g, '-');
	return /^\.*$/.test(name) ? unnamedReply : name;
}
