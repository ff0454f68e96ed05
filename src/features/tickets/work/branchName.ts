import { slug } from '../../../engine/text/slug.ts';

export interface BranchFacts {
	readonly id: number;
	readonly title: string;
	/** The tracker's name. */
	readonly tracker: string;
}

const longestName = 120;

/**
 * Branch name from a template with `${id}`, `${title}` and `${tracker}`. For any title the result is valid for git
 * (git-check-ref-format), never looks like an option, and contains no shell characters.
 */
export function branchName(template: string, { id, title, tracker }: BranchFacts): string {
	const filled = template
		.replaceAll('${id}', String(id))
		.replaceAll('${title}', slug(title))
		.replaceAll('${tracker}', slug(tracker));
	const name = filled
		.normalize('NFC')
		.split('/')
		.map((step) =>
			step
				.replaceAll(/[^\p{L}\p{M}\p{N}_.+=-]+/gu, '-')
				.replaceAll(/\.{2,}/g, '.')
				.replaceAll(/-{2,}/g, '-')
				.replaceAll(/^[-.+=\p{M}]+|[-.]+$/gu, '')
				.replace(/\.lock$/i, ''),
		)
		.filter((step) => step !== '')
		.join('/')
		.slice(0, longestName)
		.replace(/[-./_]+$/, '');
	return isName(name) ? name : `ticket-${id}`;
}

/** True for a valid branch name without special meaning elsewhere. */
export function isName(name: string): boolean {
	return (
		/^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_./+=-]*$/u.test(name) &&
		!/\.\.|\/\/|\/\.|\.\/|\.lock(?:\/|$)|[./]$|^HEAD$|^(?:refs|heads)\//i.test(name) &&
		!/^[0-9a-f]{40}$/i.test(name)
	);
}
