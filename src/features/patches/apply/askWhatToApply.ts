import * as vscode from 'vscode';
import { isAbort } from '@forge-desk/base/abort.ts';
import { cancelled, type TickChoice, type TickGroup } from '../../../editor/ask/ask.ts';
import { chooseTicked } from '../../../editor/ask/chooseTicked.ts';
import { notify } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { applyOptionsKey } from '../../../editor/names/storageKeys.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { filesInTheWay, type InTheWay } from 'hardened-git/applyObstacles.ts';
import { byteText } from 'patchmail/patch/byteText.ts';
import { pickedNumbers } from 'patchmail/series/pickedNumbers.ts';
import type { GivenTrailer, SeriesPatch } from 'patchmail/series/seriesReading.ts';
import { webOf } from '../../../editor/links/webOf.ts';
import type { Connection } from '../../../store/connection.ts';
import type { PatchsetReview } from '../../../store/lists/patchsets/patchsetReview.ts';
import { writerOf } from '../../lists/send/writer.ts';
import { personText } from '../../lists/subjects/words.ts';
import { shortId, type ApplyPlace } from './askPlace.ts';
import { showBlob } from './differences.ts';
import { carriedDoubts } from './carriedDoubts.ts';
import {
	askDoubts,
	inTheWayDoubts,
	lackingDoubts,
	missingDoubts,
	seriesDoubts,
	trailerDoubts,
	unreadDoubts,
	type Doubt,
} from './doubts.ts';
import { judgedDoubts, judgedInClone, type Judgement } from './judgedByGit.ts';
import { pathsOf } from './patchedFiles.ts';
import type { ApplyContext } from './savedApplied.ts';
import { offerSamePeople } from './secondAddresses.ts';
import { seriesMailbox, type SeriesMailbox } from './seriesMailbox.ts';
import { trailerGroups } from './seriesQuestions.ts';

/** A series, its place, and the patches whose commits the place has already. */
export interface ToApply {
	readonly connection: Connection;
	readonly review: PatchsetReview;
	/** Number of own messages that the list does not have yet. */
	readonly lacking: number;
	readonly place: ApplyPlace;
	readonly found: ReadonlyMap<SeriesPatch, string>;
}

const ownOptions = ['signOff', 'link', 'messageId'] as const;
type OwnOption = (typeof ownOptions)[number];

type Row =
	| { readonly kind: 'patch'; readonly patch: SeriesPatch }
	| { readonly kind: 'trailer'; readonly trailer: GivenTrailer }
	/** Lines of our own, for all patches or one each. */
	| { readonly kind: 'own'; readonly option: OwnOption; readonly trailers: readonly GivenTrailer[] }
	| { readonly kind: 'threeWay' }
	/** Checked: the user knows it. */
	| { readonly kind: 'doubt'; readonly doubt: Doubt };

/** A mailbox, and git's result for exactly this one. */
interface Tried {
	readonly made: SeriesMailbox;
	readonly judged: Judgement | undefined;
	readonly inTheWay: readonly InTheWay[] | 'unknown';
}

/**
 * Asks in one list for patches, trailers and options, with git's verdict and all doubts. Git tries the final choice
 * again unless it is the tried one. Returns the mailbox that git tried. Throws `cancelled()` for a no.
 */
export async function askWhatToApply(
	parts: ApplyContext,
	wanted: ToApply,
	signal: AbortSignal,
): Promise<SeriesMailbox> {
	const { connection, review, place, found } = wanted;
	const root = place.clone.root.fsPath;
	const { patches } = review.series;
	const highest = patches.reduce((most, { index }) => Math.max(most, index), 0);
	const trailers = trailerGroups(review, parts.clock.nowMs()).map(({ heading, choices }): TickGroup<Row> => ({
		heading,
		choices: choices.map((choice) => ({ ...choice, value: { kind: 'trailer', trailer: choice.value } })),
	}));
	const options = await optionRows(parts, wanted, signal);
	const fixed = [...trailers, { heading: vscode.l10n.t('Options'), choices: options }];
	const picked = fixed.flatMap(({ choices }) => choices.filter((choice) => choice.picked).map(({ value }) => value));
	const left = patches.filter((patch) => !found.has(patch));
	const first = left.length === 0 ? undefined : await tried(parts, wanted, [left, picked], undefined, signal);
	const doubts = doubtsOf(wanted, left, first, parts.clock.nowMs());
	const chosen = new Set(
		await chooseTicked<Row>(
			{
				title: vscode.l10n.t(
					'Choose what of "{0}" to apply to {1}',
					visibleLine(review.patchset.subject),
					place.target.kind === 'here' ? place.baseName : visibleLine(place.target.branch),
				),
				placeHolder: [...(first ? [verdictText(first.judged)] : []), vscode.l10n.t('Type numbers such as 1-3,5.')].join(
					' ',
				),
				groups: [
					// At the end of a long list, they would be out of sight.
					{
						heading: vscode.l10n.t('Doubts: check them to apply anyway'),
						choices: doubts.map((doubt) => ({
							label: doubt.text,
							detail: doubt.details.join(' ').replaceAll('\n', ' '),
							picked: false,
							value: { kind: 'doubt', doubt },
						})),
					},
					{ heading: vscode.l10n.t('Patches'), choices: patches.map((patch) => patchRow(patch, wanted, first)) },
					...fixed,
				],
				ticked: (typed) => {
					const numbers = pickedNumbers(typed, highest);
					return numbers && ((row) => (row.kind === 'patch' ? numbers.has(row.patch.index) : undefined));
				},
			},
			signal,
		),
	);
	const given = patches.filter((patch) => [...chosen].some((row) => row.kind === 'patch' && row.patch === patch));
	if (given.length === 0) {
		void notify('information', vscode.l10n.t('Nothing was applied: no patch was checked.'));
		throw cancelled();
	}
	const known = new Set([...chosen].flatMap((row) => (row.kind === 'doubt' ? [keyOf(row.doubt)] : [])));
	const last = await tried(parts, wanted, [given, [...chosen]], first, signal);
	const open = doubtsOf(wanted, given, last, parts.clock.nowMs()).filter((doubt) => !known.has(keyOf(doubt)));
	await askDoubts(open, vscode.l10n.t('Apply'), (file) => showBlob(parts, root, file, signal));
	const lines = [...chosen].flatMap((row) => (row.kind === 'own' ? [row.option] : []));
	await parts.flags.update(applyOptionsKey, lines);
	void offerSamePeople(
		connection,
		[...chosen].flatMap((row) => (row.kind === 'trailer' ? [row.trailer] : [])),
	);
	return last.judged?.mailbox ?? last.made;
}

/** Git's result for these patches with these rows. `before`: a result that may be of the same mailbox. */
async function tried(
	parts: ApplyContext,
	{ connection, review, place }: ToApply,
	[patches, rows]: readonly [readonly SeriesPatch[], readonly Row[]],
	before: Tried | undefined,
	signal: AbortSignal,
): Promise<Tried> {
	const given = rows.flatMap((row) => (row.kind === 'trailer' ? [row.trailer] : []));
	// Our own sign-off comes last, below the trailers that it covers.
	const own = ['link', 'messageId', 'signOff'].flatMap((option) =>
		rows.flatMap((row) => (row.kind === 'own' && row.option === option ? row.trailers : [])),
	);
	const choices = { trailers: [...given, ...own], isMerging: rows.some(({ kind }) => kind === 'threeWay') };
	const title = vscode.l10n.t('Trying "{0}" with git…', visibleLine(review.patchset.subject));
	return withProgress(title, signal, async (working) => {
		const made = await seriesMailbox(connection, patches, choices, working);
		const isSame =
			before !== undefined &&
			byteText(before.made.bytes) === byteText(made.bytes) &&
			before.made.manner.isMerging === made.manner.isMerging;
		const root = place.clone.root.fsPath;
		const judged = isSame ? before.judged : await judgedInClone(parts, { root, commit: place.base }, made, working);
		// Anew each time: people change files while a question is open.
		const inTheWay =
			place.target.kind === 'here' ? await foundInTheWay(parts, root, judged?.paths ?? pathsOf(patches), working) : [];
		return { made, judged, inTheWay };
	});
}

async function foundInTheWay(
	{ git, problems }: ApplyContext,
	root: string,
	paths: readonly string[],
	signal: AbortSignal,
): Promise<Tried['inTheWay']> {
	try {
		return await filesInTheWay(git, root, paths, signal);
	} catch (error) {
		signal.throwIfAborted();
		problems.log(error);
		return 'unknown';
	}
}

function doubtsOf(
	{ review, lacking }: ToApply,
	patches: readonly SeriesPatch[],
	now: Tried | undefined,
	nowMs: number,
): readonly Doubt[] {
	return [
		...(now
			? [
					...inTheWayDoubts(now.inTheWay),
					...judgedDoubts(now.judged, 'commit'),
					...trailerDoubts(now.made.withoutTrailers),
				]
			: []),
		...missingDoubts(review),
		...unreadDoubts(review),
		...lackingDoubts(lacking),
		...seriesDoubts(review.series, patches, nowMs),
		...carriedDoubts(review, patches),
	];
}

function keyOf({ text, details }: Doubt): string {
	return JSON.stringify([text, details]);
}

/** `undefined` needs no sentence here, because it is a doubt. */
function verdictText(judged: Judgement | undefined): string {
	const { stop, isMerged = false } = judged ?? {};
	if (stop) {
		return stop.hasConflicts
			? vscode.l10n.t('Git stops at patch {0}, which has conflicts.', stop.index)
			: vscode.l10n.t('Git does not accept patch {0}.', stop.index);
	}
	return !judged
		? vscode.l10n.t('Git could not try the patchset.')
		: isMerged
			? vscode.l10n.t('Git applies the patches with a three-way merge.')
			: vscode.l10n.t('Git applies the patches.');
}

function patchRow(patch: SeriesPatch, { place, found }: ToApply, first: Tried | undefined): TickChoice<Row> {
	const { author, subject } = patch.patch;
	const commit = found.get(patch);
	const { mailbox = first?.made } = first?.judged ?? {};
	const strips = mailbox?.stripped.get(mailbox.patches.indexOf(patch));
	const notes = [
		...(commit === undefined ? [] : [vscode.l10n.t('Already in {0}: commit {1}.', place.baseName, shortId(commit))]),
		...(strips === true ? [vscode.l10n.t('The message has lines with CR LF, which git gets with LF.')] : []),
		...(strips === false ? [vscode.l10n.t('The message has lines with CR LF, which stay.')] : []),
	];
	return {
		label: `${patch.index}. ${visibleLine(subject)}`,
		...(author ? { description: personText(author) } : {}),
		...(notes.length > 0 ? { detail: notes.join(' ') } : {}),
		picked: commit === undefined,
		// Typed numbers match no label.
		alwaysShow: true,
		value: { kind: 'patch', patch },
	};
}

/** Own lines start as they were last time in this workspace. */
async function optionRows(
	parts: ApplyContext,
	{ connection, review, place }: ToApply,
	signal: AbortSignal,
): Promise<readonly TickChoice<Row>[]> {
	const { patches } = review.series;
	const before = parts.flags.get<unknown>(applyOptionsKey);
	const rowOf = (
		option: OwnOption,
		trailers: readonly GivenTrailer[],
		description: string,
	): readonly TickChoice<Row>[] => {
		const [first] = trailers;
		const picked = Array.isArray(before) && before.includes(option);
		const label = first && visibleLine(`${first.key}: ${first.value}`);
		return label === undefined ? [] : [{ label, description, picked, value: { kind: 'own', option, trailers } }];
	};
	const writer = await writerOf(connection, parts, place.clone.root.fsPath, signal).catch((error: unknown) => {
		if (isAbort(error)) {
			throw error;
		}
		parts.problems.log(error);
		return undefined;
	});
	const line = (key: string, value: string, of: readonly SeriesPatch[]): GivenTrailer => ({
		key,
		value,
		person: { name: '', address: '' },
		mailId: 0,
		patchIndexes: of.map(({ index }) => index),
		isInPatch: false,
		isForOther: false,
		isOnlyToGit: false,
	});
	const links = patches.flatMap((patch) => {
		const page = { kind: 'mail', list: review.ref.list, messageId: patch.mail.messageId } as const;
		const url = webOf(connection.instance).address(page);
		return url === undefined ? [] : [line('Link', url, [patch])];
	});
	const ids = patches.map((patch) => line('Message-ID', patch.mail.messageId, [patch]));
	return [
		...rowOf(
			'signOff',
			writer ? [line('Signed-off-by', `${writer.from.name} <${writer.from.address}>`, patches)] : [],
			vscode.l10n.t('your own, to each patch'),
		),
		...rowOf('link', links, vscode.l10n.t('the URL of each message')),
		...rowOf('messageId', ids, vscode.l10n.t('the id of each message')),
		{
			label: vscode.l10n.t('Three-Way Merge'),
			description: vscode.l10n.t('for patches that do not fit exactly'),
			picked: true,
			value: { kind: 'threeWay' },
		},
	];
}
