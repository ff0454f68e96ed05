import { GitFailure } from './gitFailure.ts';
import { idArgument, revisionArgument } from './gitNames.ts';

/** Read-only git commands for sending commits as patches. */
export type SeriesStep =
	/** Resolves a revision, such as `refs/remotes/origin/main` or `HEAD~2`; fails if it does not exist. */
	| { readonly kind: 'resolve'; readonly revision: string }
	/** Peels an object, such as a tag, to its commit; fails without one. */
	| { readonly kind: 'peel'; readonly id: string }
	| { readonly kind: 'mergeBase'; readonly commits: readonly [string, string] }
	/** Commits reachable from `tip` but not from `since`, newest first. */
	| { readonly kind: 'log'; readonly since: string | undefined; readonly tip: string; readonly count: number }
	/** `format.subjectPrefix` of the repository or the user. */
	| { readonly kind: 'subjectPrefix' }
	| ({ readonly kind: 'format' } & FormatPatches);

/** Input of `git format-patch`. */
export interface FormatPatches {
	/** Parent of the first patch's commit. */
	readonly base: string;
	readonly tip: string;
	/** Text in brackets before the number, such as `PATCH lantern v2`. */
	readonly tag: string;
	readonly isNumbered: boolean;
	/** `Name <address>` of the sender. Git names a different author in the text. */
	readonly from: string;
}

/** Checked arguments, without the settings of all operations. Throws `GitFailure` for unsafe values. */
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

/** Overrides repository settings that add recipients, headers or files. */
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

/** True for a tag that all programs parse alike in a subject's brackets. */
export function isTag(tag: string): boolean {
	return /^[A-Za-z0-9][A-Za-z0-9 ._,/+~-]{0,99}$/.test(tag);
}
