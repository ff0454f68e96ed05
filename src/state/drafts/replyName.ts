import { shortLine } from '../../text/visible.ts';

/** The name of a reply draft whose mail names nobody. */
export const unnamedReply = 'reply';

const longest = 60;

/** The name of a reply draft: the person who is answered, as one step of a path. */
export function replyName(person: string): string {
	const name = shortLine(person, longest).replaceAll(/[/\\]/g, '-');
	return /^\.*$/.test(name) ? unnamedReply : name;
}
