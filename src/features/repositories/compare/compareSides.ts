import * as vscode from 'vscode';
import { choose, type Choice } from '../../../editor/ask/ask.ts';
import { notify, tellBriefly } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { isObjectId } from 'patchmail/git/objectId.ts';
import { changedFiles, type ChangedFiles } from '../../../store/repositories/history/changedFiles.ts';
import type { Connection, Connections } from '../../../store/connection.ts';
import { historySource } from '../../../store/repositories/history/historyReads.ts';
import { mergeBases } from '../../../store/repositories/history/mergeBases.ts';
import { headRevision, referenceKind, referenceOf } from '../../../store/repositories/repositoryReferences.ts';
import { pickReference } from '../questions/pickReference.ts';
import { askRepository } from '../questions/repositoryQuestions.ts';
import { orInFront } from '../questions/repositoryTarget.ts';
import { repositoriesSubject, type RepositoriesSubject, comparisonSubject } from '../subjects/subjects.ts';
import { shownName } from '../subjects/words.ts';
import { openFiles, shortId, type Within } from './openFiles.ts';
import type { RepositoriesContext } from '../parts/repositoriesContext.ts';

/** Maximum number of log pages for the merge base search. */
const pagesForBase = 20;

/** One side of a comparison: a revision by the name that people know it by. */
interface Side extends Within {
	readonly revision: string;
}

interface Comparing extends Within {
	readonly before: string;
	readonly after: string;
	/** `everything`: `git diff a b`; `sinceParted`: `git diff a...b`. */
	readonly what: 'everything' | 'sinceParted';
}

/** Stores the selected side and the last comparison until the window closes. */
export function sideComparison(context: RepositoriesContext) {
	let selected: Side | undefined;
	let last: Comparing | undefined;

	async function show(comparing: Comparing, signal: AbortSignal): Promise<void> {
		const connection = connectionOf(context.connections, comparing);
		const [before, after] = [shownOf(comparing.before), shownOf(comparing.after)];
		const found = await withProgress(vscode.l10n.t('Comparing {0} with {1}…', before, after), signal, (working) =>
			read(connection, comparing, working),
		);
		if (found.kind === 'changes') {
			if (found.otherBases > 0) {
				tellBriefly(vscode.l10n.t('There are {0} merge bases. The newest is used.', found.otherBases + 1));
			}
			const within = { ...comparing, connection, problems: context.problems };
			await openFiles(
				within,
				found.changed,
				found.base === undefined
					? {
							title: vscode.l10n.t('{0} → {1}', before, after),
							nothing: vscode.l10n.t('{0} and {1} have the same files.', before, after),
						}
					: {
							title: vscode.l10n.t('{0} since the merge base with {1} ({2})', after, before, shortId(found.base)),
							nothing: vscode.l10n.t('{0} changed no files since the merge base with {1}.', after, before),
						},
				signal,
			);
		} else {
			const everything = vscode.l10n.t('Show All Changes');
			// Not awaited: the notice may stay open for hours.
			void notify(
				'information',
				found.kind === 'none'
					? vscode.l10n.t('{0} and {1} have no commit in common. All changes can be shown.', before, after)
					: vscode.l10n.t(
							'The merge base of {0} and {1} was not found in {2} pages of the log. All changes can be shown.',
							before,
							after,
							pagesForBase,
						),
				everything,
			)
				.then((chosen) => (chosen === everything ? show({ ...comparing, what: 'everything' }, signal) : undefined))
				.catch((error: unknown) => context.problems.show(error));
		}
		last = comparing;
	}

	async function sideOf(subject: unknown, title: string, signal: AbortSignal): Promise<Side> {
		const given = repositoriesSubject(orInFront(context, subject));
		const revision = given && revisionIn(given);
		const { connectionKey, ref } = given ?? (await askRepository(context.connections, 'any', signal));
		if (revision !== undefined) {
			return { connectionKey, ref, revision };
		}
		const connection = connectionOf(context.connections, { connectionKey });
		return {
			connectionKey,
			ref,
			revision: await pickReference({ title, connection, ref }, signal),
		};
	}

	async function compare(subject: unknown, signal: AbortSignal): Promise<void> {
		const commits = comparisonSubject(subject);
		if (commits) {
			return show({ ...commits, what: 'everything' }, signal);
		}
		const one = await sideOf(subject, vscode.l10n.t('Choose a branch, tag or commit to compare'), signal);
		const connection = connectionOf(context.connections, one);
		const title = vscode.l10n.t('Choose a branch, tag or commit to compare {0} with', shownOf(one.revision));
		const revision = await pickReference({ title, connection, ref: one.ref }, signal);
		await show(await askWhat(context.connections, one, revision, signal), signal);
	}

	return {
		/** Compares two references; asks for missing ones. Two given commits need no question. */
		compare,
		/** Remembers one side. */
		async select(subject: unknown, signal: AbortSignal) {
			selected = await sideOf(subject, vscode.l10n.t('Choose a branch, tag or commit to select'), signal);
			await vscode.commands.executeCommand('setContext', 'forge.repositories.selected', true);
		},
		/** Compares with the stored side. */
		async compareWithSelected(subject: unknown, signal: AbortSignal) {
			const side = selected;
			if (!side) {
				return compare(subject, signal);
			}
			const other = await sideOf(
				subject,
				vscode.l10n.t('Choose a branch, tag or commit to compare {0} with', shownOf(side.revision)),
				signal,
			);
			if (other.connectionKey !== side.connectionKey || refText(other.ref) !== refText(side.ref)) {
				const message = vscode.l10n.t(
					'{0} was selected in {1}. Select two revisions of one repository.',
					shownOf(side.revision),
					shownName(refText(side.ref)),
				);
				// Not awaited: the notice may stay open for hours.
				void notify('information', message);
				return;
			}
			await show(await askWhat(context.connections, other, side.revision, signal), signal);
		},
		/** Shows the last comparison the other way round. */
		async swap(subject: unknown, signal: AbortSignal) {
			await (last ? show({ ...last, before: last.after, after: last.before }, signal) : compare(subject, signal));
		},
	};
}

/** The subject's revision; `undefined` for a whole repository. */
function revisionIn(subject: RepositoriesSubject): string | undefined {
	switch (subject.kind) {
		case 'repository':
			return undefined;
		case 'reference':
			return subject.revision;
		case 'commit':
			return subject.id;
		case 'folder':
		case 'file':
		case 'submodule':
			return subject.at.ref;
	}
}

/** Abbreviates full ids; names stay whole. */
export function shownOf(revision: string): string {
	return shownName(isObjectId(revision) ? shortId(revision) : revision);
}

/** Asks for direction and extent. The usual choice is first. */
async function askWhat(
	connections: Connections,
	{ connectionKey, ref, revision: about }: Side,
	other: string,
	signal: AbortSignal,
): Promise<Comparing> {
	const connection = connectionOf(connections, { connectionKey });
	const [before, after] = await withProgress(
		vscode.l10n.t('Comparing {0} with {1}…', shownOf(other), shownOf(about)),
		signal,
		async (working) => {
			const [timeOfAbout, timeOfOther] = await Promise.all(
				[about, other].map(
					async (revision) => (await connection.repositories.newestPinned(ref, revision, working))?.commit.timestampMs,
				),
			);
			const all = connection.repositories.names.known(ref)?.references.known()?.items ?? [];
			const isBranch = (revision: string): boolean => {
				const reference = referenceOf(revision, all);
				return revision === headRevision || (reference !== undefined && referenceKind(reference) === 'branch');
			};
			// Users ask for later changes. Of two branches, the subject is the one to merge.
			const isTurned =
				timeOfAbout !== undefined &&
				timeOfOther !== undefined &&
				timeOfOther > timeOfAbout &&
				!(isBranch(about) && isBranch(other));
			return isTurned ? ([about, other] as const) : ([other, about] as const);
		},
	);
	const rows = [
		...rowsOf({ connectionKey, ref, before, after }, vscode.l10n.t('all changes')),
		...rowsOf({ connectionKey, ref, before: after, after: before }, vscode.l10n.t('all changes, reversed')),
	];
	return choose(vscode.l10n.t('Choose what to compare'), rows);
}

function rowsOf(sides: Omit<Comparing, 'what'>, everything: string): readonly Choice<Comparing>[] {
	const [before, after] = [shownOf(sides.before), shownOf(sides.after)];
	return [
		{
			label: vscode.l10n.t('{0} → {1}', before, after),
			description: everything,
			value: { ...sides, what: 'everything' },
		},
		{
			label: vscode.l10n.t('Changes in {0}', after),
			description: vscode.l10n.t('since the merge base with {0}', before),
			value: { ...sides, what: 'sinceParted' },
		},
	];
}

type Compared =
	/** `base`: the merge base, the newest one if there are others; `undefined` for everything. */
	| {
			readonly kind: 'changes';
			readonly changed: ChangedFiles;
			readonly base: string | undefined;
			readonly otherBases: number;
	  }
	| { readonly kind: 'none' | 'tooFar' };

async function read(
	{ repositories }: Connection,
	{ ref, before, after, what }: Comparing,
	signal: AbortSignal,
): Promise<Compared> {
	const [one, other] = await Promise.all(
		[before, after].map((revision) => repositories.folders.standing(ref, revision, signal)),
	);
	if (!one || !other) {
		throw new ForgeError({ kind: 'notFound' }, { about: `${refText(ref)} ${one ? after : before}` });
	}
	const commits = [one.commit.id, other.commit.id] as const;
	const bases =
		what === 'everything'
			? undefined
			: await mergeBases(historySource(repositories, ref), commits, pagesForBase, signal);
	if (bases && bases.kind !== 'found') {
		return bases;
	}
	const [base, ...others] = bases?.ids ?? [];
	const sides = { ref, before: base ?? commits[0], after: commits[1] };
	const changed = await changedFiles(repositories, sides, signal);
	return { kind: 'changes', changed, base, otherBases: others.length };
}
