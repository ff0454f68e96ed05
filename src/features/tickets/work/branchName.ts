import { slug } from '../../../text/slug.ts';

/** What a branch is named after. */
export interface BranchFacts {
	readonly id: number;
	readonly title: string;
	/** The tracker's name. */
	readonly tracker: string;
}

const longestName = 120;

/**
 * A branch's name by a template with `${id}`, `${title}` and `${tracker}`. Whatever the title is, the outcome is a name
 * that git takes (git-check-ref-format), that no program takes for an option, and that holds nothing a shell would read.
 */
export function branchName(template: string, { id, title, tracker }: BranchFacts): string {
	const filled = template
		.replaceAll('${id}', String(id))
		.replaceAll('${title}', slug(title))
		.replaceAll('${tracker}', slug(tracker));
	const name = filled
		.normalize('NFC')
		.split('/')
		.map(safeStep)
		.filter((step) => step !== '')
		.join('/')
		.slice(0, longestName)
		.replace(/[-./_]+$/, '');
	return isName(name) ? name : `ticket-${id}`;
}

/** True for names that git takes for a branch, and that nobody takes for anything else. */
export function isName(name: string): boolean {
	return (
		/^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_./+=-]*$/u.test(name) &&
		!/\.\.|\/\/|\/\.|\.\/|\.lock(?:\/|$)|[./]$|^HEAD$|^(?:refs|heads)\//i.test(name) &&
		!/^[0-9a-f]{40}$/i.test(name)
	);
}

/** One step of a path: what is not allowed becomes a hyphen. */
function safeStep(step: string): string {
	return step
		.replaceAll(/[^\p{L}\p{M}\p{N}_.+=-]+/gu, '-')
		.replaceAll(/\.{2,}/g, '.')
		.replaceAll(/-{2,}/g, '-')
		.replaceAll(/^[-.+=\p{M}]+|[-.]+$/gu, '')
		.replace(/\.lock$/i, '');
}
