import { GitFailure } from './gitFailure.ts';
import { idArgument, revisionArgument } from './gitNames.ts';

/** What sending commits as patches takes; nothing of it writes. */
export type SeriesStep =
	/** The commit that a revision leads to, such as `refs/remotes/origin/main` or `HEAD~2`; fails where there is none. */
	| { readonly kind: 'resolve'; readonly revision: string }
	/** The commit that an object leads to, such as a tag; fails where there is none. */
	| { readonly kind: 'peel'; readonly id: string }
	/** The newest commit that both have. */
	| { readonly kind: 'mergeBase'; readonly commits: readonly [string, string] }
	/** Commits down from one, oldest first; those of `since` are left out. */
	| { readonly kind: 'log'; readonly since: string | undefined; readonly tip: string; readonly count: number }
	/** The prefix of subjects that is set for this repository or by the user. */
	| { readonly kind: 'subjectPrefix' }
	| ({ readonly kind: 'format' } & FormatPatches);

/** Commits as `git format-patch` is asked to write them. */
export interface FormatPatches {
	/** Commit that the first patch stands on. */
	readonly base: string;
	readonly tip: string;
	/** What stands in brackets before the number, such as `PATCH lantern v2`. */
	readonly tag: string;
	readonly isNumbered: boolean;
	/** `Name <address>` of the sender; an author who is somebody else is named in the text. */
	readonly from: string;
}

/** Arguments of a step behind the settings of all operations. Throws `GitFailure` for what is never handed to git. */
export function seriesArguments(step: SeriesStep, diffOptions: readonly string[]): readonly string[] {
	switch (step.kind) {
		case 'resolve':
			return ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revisionArgument(step.revision)}^{commit}`];
		case 'peel':
			return ['rev-parse', '--verify', '--quiet', '--end-of-options', `${idArgument(step.id)}^{commit}`];
		case 'mergeBase':
			return ['merge-base', ...step.commits.map(idArgument)];
		case 'log':
			return [
				'log',
				'-z',
				'--topo-order',
				'--no-mailmap',
				'--no-notes',
				'--no-patch',
				'--no-color',
				'--format=%H%n%P%n%B',
				`-n${step.count}`,
				idArgument(step.tip),
				...(step.since === undefined ? [] : [`^${idArgument(step.since)}`]),
			];
		case 'subjectPrefix':
			return ['config', '--includes', '--get', 'format.subjectPrefix'];
		case 'format':
			return ['-c', 'format.mboxrd=false', 'format-patch', ...formatOptions(step), ...diffOptions, range(step)];
	}
}

/** Nothing that settings of a repository say adds recipients, headers or files. */
function formatOptions({ base, tag, isNumbered, from }: FormatPatches): readonly string[] {
	if (!isTag(tag) || !/^[^\p{Cc}]{1,400}$/u.test(from)) {
		throw new GitFailure({ kind: 'refused', what: 'mail' });
	}
	return [
		'--stdout',
		'--no-attach',
		'--no-cover-letter',
		'--no-thread',
		'--no-to',
		'--no-cc',
		'--no-add-header',
		'--no-signoff',
		'--no-signature',
		'--no-encode-email-headers',
		isNumbered ? '--numbered' : '--no-numbered',
		`--subject-prefix=${tag}`,
		`--from=${from}`,
		`--base=${idArgument(base)}`,
	];
}

function range({ base, tip }: FormatPatches): string {
	return `${idArgument(base)}..${idArgument(tip)}`;
}

/** True for words that mean the same to every program between the brackets of a subject. */
export function isTag(tag: string): boolean {
	return /^[A-Za-z0-9][A-Za-z0-9 ._,/+~-]{0,99}$/.test(tag);
}
