import * as vscode from 'vscode';
import { Disposables } from '../../../base/lifecycle.ts';
import { cancelled, choose, type Choice } from '../../../editor/ask/ask.ts';
import { confirmForGood, notify } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import type { CommandTable, Feature } from '../../../editor/commands/feature.ts';
import { isRecord, connectionOf } from '../../../editor/commands/subjects.ts';
import { closeTabs } from '../../../editor/links/tabAddresses.ts';
import type { Patchset } from '../../../forge/port/list.ts';
import { patchSubject } from '../../../forge/port/patchSubject.ts';
import { GitFailure } from '../../../machine/git/gitFailure.ts';
import { reviewMailText } from '../../../engine/review/editedMail.ts';
import { again } from '../../../engine/review/sending.ts';
import { sentBy } from '../../../store/people/sentBy.ts';
import type { KeptText } from '../../../store/shared/keptText.ts';
import { visibleLine, shortLine } from '../../../engine/text/visible.ts';
import { toldOfGit } from '../apply/applyParts.ts';
import type { ListsParts } from '../parts/listsParts.ts';
import { oneSending } from '../reply/oneSending.ts';
import { askToWrap, confirmPatchInCover } from '../reply/ownTexts.ts';
import { confirmSending, removeSent, sendInTurn, settled, type WhyNotSent } from '../reply/sendInTurn.ts';
import { askWay, handOver } from '../reply/sendWays.ts';
import { recipientsText, mailsText, sentBeforeTexts, sentSubjects, subjectsText } from '../reply/sendWords.ts';
import type { Standing } from '../reply/standing.ts';
import { keptSeries, type PreparedSeries } from './keptSeries.ts';
import { coverOf, headOf, patchOf, withEdits, draftsOf, type BrokenPatch } from './preparedMails.ts';
import { readSeries, isSendable, type ReadSeries } from './readSeries.ts';
import { seriesOfUri, seriesPreview, type SeriesName, type SeriesPreview } from './seriesPreview.ts';
import type { SubmitParts, SubmitSurroundings } from './submitParts.ts';
import { previewSeries, submitPatches } from './submitPatches.ts';
import { progressText, seriesTitle, coverFaultText, patchFaultText, problemsDetail, sentCount } from './submitWords.ts';

/** Sends commits to a list as patches. */
export interface SubmitFeature extends Feature {
	/** Previews of series, `forge-series:`. */
	readonly previews: SeriesPreview;
}

export interface SubmitFeatureParts extends ListsParts, SubmitSurroundings {
	/** Per-account storage of prepared series, shared by all windows. */
	readonly seriesOf: (connectionKey: string) => KeptText;
}

export function submitFeature(given: SubmitFeatureParts): SubmitFeature {
	const owned = new Disposables();
	const series = owned.add(keptSeries(given.connections, given.seriesOf));
	const parts: SubmitParts = { ...given, series };
	const inTurn = oneSending();
	const commands: CommandTable = {
		'forge.submit.prepare': (subject, signal) => submitPatches(parts, subject, signal),
		'forge.submit.preview': async (subject, signal) => previewSeries(parts, await seriesTarget(parts, subject), signal),
		'forge.submit.editMail': async (subject, signal) => editPrepared(parts, await seriesTarget(parts, subject), signal),
		'forge.submit.send': async (subject, signal) => {
			const series = await seriesTarget(parts, subject);
			await inTurn(`${series.connectionKey} ${series.id}`, () => sendSeries(parts, series, signal));
		},
		'forge.submit.discard': async (subject) => {
			const target = await seriesTarget(parts, subject);
			const detail = vscode.l10n.t(
				"Your commits are not changed. What was not sent is not sent. This can't be undone.",
			);
			const question = vscode.l10n.t('Discard the prepared patches "{0}"?', seriesTitle(target));
			if (await confirmForGood(question, detail, vscode.l10n.t('Discard'))) {
				await dropSeries(parts, target);
			}
		},
	};
	return {
		commands: toldOfGit(given, commands),
		previews: owned.add(seriesPreview(parts)),
		dispose: () => owned.dispose(),
	};
}

/** The command's series: a given one, that of the active document, or one that the user chooses. */
async function seriesTarget(parts: SubmitParts, subject: unknown): Promise<PreparedSeries> {
	const uri = subject ?? vscode.window.activeTextEditor?.document.uri;
	const { connectionKey, id } = seriesNamed(subject) ?? seriesOfUri(uri) ?? (await chosenSeries(parts));
	// Reload: it may have been sent during the question.
	const known = parts.series.of(connectionKey, id);
	if (!known) {
		void notify('information', vscode.l10n.t('These patches are no longer prepared. Use Send Patches… again.'));
		throw cancelled();
	}
	return known;
}

async function chosenSeries({ series }: SubmitParts): Promise<SeriesName> {
	const all = series.all();
	const [only] = all;
	if (!only) {
		void notify('information', vscode.l10n.t('No patches are prepared. Use Send Patches… first.'));
		throw cancelled();
	}
	return all.length === 1
		? only
		: choose(
				vscode.l10n.t('Choose the prepared patches'),
				all.map((each) => ({
					label: seriesTitle(each),
					description: progressText(each),
					iconPath: new vscode.ThemeIcon('mail'),
					value: each,
				})),
			);
}

function seriesNamed(subject: unknown): SeriesName | undefined {
	const { kind, connectionKey, id } = isRecord(subject) ? subject : {};
	return kind === 'series' && typeof connectionKey === 'string' && typeof id === 'string'
		? { connectionKey, id }
		: undefined;
}

/** Opens a mail of a series that is not sent yet as a document; asks which one. Throws `GitFailure`. */
async function editPrepared(parts: SubmitParts, series: PreparedSeries, signal: AbortSignal): Promise<void> {
	const { mailDrafts } = parts;
	const read = await withProgress(vscode.l10n.t('Preparing patches…'), signal, (working) =>
		readSeries(parts, series, working),
	);
	if ('fault' in read) {
		await mailDrafts.open(coverOf(series));
		void notify('warning', coverFaultText(read.fault));
		return;
	}
	const { mails, made, edited } = read;
	const open = mails.flatMap((mail, at): readonly Choice<number>[] => {
		const isEdited = edited.has(at) ? { description: vscode.l10n.t('edited') } : {};
		return isStillHere(series, at)
			? [{ label: visibleLine(mail.subject), ...isEdited, detail: recipientsText([mail]), value: at }]
			: [];
	});
	if (open.length === 0) {
		void notify('information', vscode.l10n.t('No message to edit: all of them were sent, or may have been.'));
		return;
	}
	const at = await choose(vscode.l10n.t('Choose a message to edit'), open);
	// Reload: it may have been sent or edited during the question.
	const now = parts.series.of(series.connectionKey, series.id);
	if (!now || !isStillHere(now, at)) {
		void notify('information', vscode.l10n.t("This message was sent since, or may have been, so it can't be edited."));
		return;
	}
	const mail = made[at];
	if (!mail || (at === 0 && now.hasCover)) {
		await mailDrafts.open(coverOf(now));
		return;
	}
	const about = patchOf(now, at);
	const text = reviewMailText(mail);
	if (!withEdits(mailDrafts, now, made).edited.has(at)) {
		// An unchanged mail starts again with the current recipients.
		await (mailDrafts.textOf(about) === text ? undefined : mailDrafts.finish(about));
		await noteHead(parts, now, { at, madeHead: headOf(text) });
	}
	await mailDrafts.open(about, text);
}

/** Whether it certainly did not go out. */
function isStillHere({ mails }: PreparedSeries, at: number): boolean {
	const kind = mails[at]?.progress.kind;
	return kind === 'waiting' || kind === 'notSent';
}

/** Reload the stored series: another window may be sending it. */
async function noteHead(
	{ series }: Pick<SubmitParts, 'series'>,
	{ connectionKey, id }: PreparedSeries,
	{ at, madeHead }: { readonly at: number; readonly madeHead: string },
): Promise<void> {
	const known = series.of(connectionKey, id);
	if (known) {
		const mails = known.mails.map((each, place) => (place === at ? { ...each, madeHead } : each));
		await series.put({ ...known, mails });
	}
}

/** Sends or hands over the rest of a series and reports the outcome. Throws `GitFailure`. */
async function sendSeries(parts: SubmitParts, kept: PreparedSeries, signal: AbortSignal): Promise<void> {
	if (!parts.trust.isTrusted()) {
		throw new GitFailure({ kind: 'notTrusted' });
	}
	const now = (): string => seriesStanding(parts, kept);
	const standing = { asked: now(), now };
	const { lists, sentMails } = connectionOf(parts.connections, kept);
	const { known, plan: settledPlan } = await settled(kept.mails, { lists, list: kept.list }, signal);
	const plan = again(settledPlan);
	const read = await withProgress(vscode.l10n.t('Preparing patches…'), signal, (working) =>
		readSeries(parts, { ...kept, mails: plan }, working),
	);
	if ('fault' in read) {
		void notify('warning', coverFaultText(read.fault));
		return;
	}
	if (!isSendable(read)) {
		void notify('error', vscode.l10n.t('Nothing was sent. {0}', problemsDetail(read.problems)));
		return;
	}
	const [broken] = read.broken.filter(({ at }) => plan[at]?.progress.kind === 'waiting');
	if (broken) {
		void tellBroken(parts, kept, { subject: read.made[broken.at]?.subject ?? '', broken });
		return;
	}
	await askOfCover(read, plan);
	const { series, own } = read;
	const waitingOf = (all: ReadSeries['mails']): ReadSeries['mails'] =>
		all.filter(({ messageId }) =>
			plan.some((mail) => mail.messageId === messageId && mail.progress.kind === 'waiting'),
		);
	const wanted = new Map((await askToWrap(waitingOf(own))).map((mail) => [mail.messageId, mail]));
	const mails = read.mails.map((mail) => wanted.get(mail.messageId) ?? mail);
	const waiting = waitingOf(mails);
	if (waiting.length === 0) {
		await finished(parts, series);
		return;
	}
	const way = await askWay(parts.mailer, waiting, 'patches');
	if (way !== 'git') {
		const done = await handOver(way, waiting, { nowMs: parts.clock.nowMs(), standing });
		void afterHandOver(parts, series, { done, standing });
		return;
	}
	await confirmSending(waiting, standing, sentBeforeTexts(sentCount(series)));
	const keep = (next: PreparedSeries['mails']): Promise<void> => parts.series.put({ ...series, mails: next });
	const wentOut = (id: string): void => sentMails.wentOut(kept.list, id);
	const { now: done, ...failed } = await sendInTurn(parts, { plan, known, mails, keep, wentOut }, signal);
	const after = { ...series, mails: done };
	if (sentCount(after) < done.length) {
		void tellFailed(after, sentSubjects(mails, done), failed);
	} else {
		await removeSent(parts, done.length, () => finished(parts, after));
	}
}

/** Asks again, because the cover letter may be newer than the preview. Throws `cancelled()` on "no". */
async function askOfCover({ problems }: ReadSeries, [first]: PreparedSeries['mails']): Promise<void> {
	if (first?.progress.kind === 'waiting' && problems.some(({ kind }) => kind === 'patchInCover')) {
		await confirmPatchInCover();
	}
}

/** Fingerprint of a stored series with its cover letter and edited patches. */
function seriesStanding({ series, mailDrafts }: SubmitParts, kept: PreparedSeries): string {
	const texts = draftsOf(kept).map((about) => mailDrafts.textOf(about) ?? '');
	return JSON.stringify([series.of(kept.connectionKey, kept.id), texts]);
}

interface NotSendable {
	readonly subject: string;
	readonly broken: BrokenPatch;
}

/** Not awaited: the notice may stay open for hours. */
async function tellBroken(parts: SubmitParts, series: PreparedSeries, { subject, broken }: NotSendable): Promise<void> {
	const edit = vscode.l10n.t('Edit Message');
	const why = vscode.l10n.t(
		'The edited message "{0}" can\'t be sent. {1}',
		shortLine(visibleLine(subject), 120),
		patchFaultText(broken.fault),
	);
	if ((await notify('warning', why, edit)) === edit) {
		await parts.mailDrafts.open(patchOf(series, broken.at)).catch((error: unknown) => parts.problems.show(error));
	}
}

/** `sent`: subjects of sent mails. Not awaited by the command: a notice may stay open. */
async function tellFailed(
	series: PreparedSeries,
	sent: readonly string[],
	{ why, severity }: WhyNotSent,
): Promise<void> {
	const text =
		sent.length === 0
			? vscode.l10n.t('No message was sent. {0} The patches stay prepared.', why)
			: vscode.l10n.t(
					'{0} of {1} sent: {2}. {3} The others stay prepared.',
					sent.length,
					mailsText(series.mails.length),
					subjectsText(sent),
					why,
				);
	const retry = vscode.l10n.t('Try Again');
	if ((await notify(severity, text, retry)) === retry) {
		const { connectionKey, id } = series;
		await vscode.commands.executeCommand('forge.submit.send', { kind: 'series', connectionKey, id });
	}
}

/**
 * Deletes a series and its drafts without a question. Closes their documents, which would otherwise appear as deleted.
 */
async function dropSeries(parts: SubmitParts, series: PreparedSeries): Promise<void> {
	for (const about of draftsOf(series)) {
		await (parts.mailDrafts.textOf(about) === undefined ? undefined : parts.mailDrafts.finish(about));
	}
	await closeTabs((address) => seriesOfUri(address)?.id === series.id);
	await parts.series.drop(series);
}

async function finished(parts: SubmitParts, series: PreparedSeries): Promise<void> {
	await dropSeries(parts, series);
	void tellSent(parts, series).catch((error: unknown) => parts.problems.show(error));
}

/** Not awaited by the command, as above. */
async function tellSent(parts: SubmitParts, series: PreparedSeries): Promise<void> {
	const open = vscode.l10n.t('Open Patchset');
	const to = recipientsText([{ to: series.to, cc: series.cc }]);
	let text = vscode.l10n.t('Sent {0} to {1}.', mailsText(series.mails.length), to);
	while ((await notify('information', text, open)) === open) {
		const patchset = await withProgress(vscode.l10n.t('Loading patchsets…'), new AbortController().signal, (working) =>
			patchsetOf(parts, series, working),
		);
		if (patchset) {
			await vscode.commands.executeCommand('forge.patchsets.open', {
				kind: 'patchset',
				connectionKey: series.connectionKey,
				ref: { list: series.list, id: patchset.id },
			});
			return;
		}
		text = vscode.l10n.t('The forge does not show the patchset "{0}" yet. Try again in a minute.', seriesTitle(series));
	}
}

/** The forge's patchset of a series; `undefined` until it exists. */
async function patchsetOf(
	{ connections }: Pick<SubmitParts, 'connections'>,
	series: PreparedSeries,
	signal: AbortSignal,
): Promise<Patchset | undefined> {
	const { lists, me } = connectionOf(connections, series);
	lists.forget(series.list);
	const { items } = await lists.patchsets(series.list, signal);
	const isOwn = sentBy({ account: me, address: series.from.address, mails: [] });
	const wanted = patchSubject(`[${series.tag}] ${series.title}`);
	return items.find((each) => each.version === wanted?.version && each.subject === wanted.subject && isOwn(each));
}

/** Only the user knows whether the mails are out, so the series stays until they confirm. Not awaited, as above. */
async function afterHandOver(
	parts: SubmitParts,
	series: PreparedSeries,
	{ done, standing }: { readonly done: string; readonly standing: Standing },
): Promise<void> {
	const discard = vscode.l10n.t('Discard Patches');
	const text = vscode.l10n.t('{0} The patches stay prepared. Discard them once the messages are sent.', done);
	if ((await notify('information', text, discard)) !== discard) {
		return;
	}
	if (standing.now() !== standing.asked) {
		void notify('information', vscode.l10n.t('The patches were changed or sent since, so they stay as they are.'));
		return;
	}
	await dropSeries(parts, series).catch((error: unknown) => parts.problems.show(error));
}
