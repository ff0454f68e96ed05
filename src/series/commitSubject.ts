/** A mail's subject as `git mailinfo` makes a commit's of it: without `Re:` and without all that stands in brackets. */
export function commitSubject(subject: string): string {
	let at = 0;
	for (;;) {
		const rest = subject.charAt(at);
		if (/^re:/i.test(subject.slice(at, at + 3))) {
			at += 3;
		} else if (rest === ' ' || rest === '\t' || rest === ':') {
			at += 1;
		} else if (rest === '[') {
			const end = subject.indexOf(']', at);
			if (end === -1) {
				break;
			}
			at = end + 1;
		} else {
			break;
		}
	}
	return subject
		.slice(at)
		.replaceAll(/[ \t\n\v\f\r]+/g, ' ')
		.trim();
}
