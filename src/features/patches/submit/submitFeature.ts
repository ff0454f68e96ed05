import * as v from 'valibot';
import * as vscode from 'vscode';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { cancelled, choose, type Choice } from '../../../editor/ask/ask.ts';
import { chooseAction, confirmForGood, notify, offer } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import type { CommandTable } from '../../../editor/commands/feature.ts';
import { isRecord, connectionOf } from '../../../editor/commands/subjects.ts';
import { showDocument } from '../../../editor/documents/showDocument.ts';
import { newMessageId } from '../../lists/send/writer.ts';
import { closeTabs } from '../../../editor/links/tabAddresses.ts';
import { patchSubject } from 'patchmail/series/patchSubject.ts';
import { isBlocking, isOfTrial } from 'patchmail/series/sendChecks.ts';
import { GitFailure } from 'hardened-git/gitFailure.ts';
import { reviewMailText } from 'patchmail/review/editedMail.ts';
import { again, type MailOfMany } from 'patchmail/review/sending.ts';
import type { Connection } from '../../../store/connection.ts';
import { sentBy } from '../../../store/people/sentBy.ts';
import { visibleLine, shortLine } from '../../../engine/text/visible.ts';
import { withGitErrors, type ListsContext } from '../../lists/context/listsContext.ts';
import {
	askToWrap,
	confirmPatchInCover,
	recipientsText,
	mailsText,
	sentBeforeTexts,
	sentSubjects,
	subjectsText,
} from '../../lists/send/sendWords.ts';
import type { MailOrigin } from '../../lists/send/sendInTurn.ts';
import { oneSending, sendMails, sendTest, settled, tellQueued } from '../../lists/send/sendMails.ts';
import {
	coverOf,
	draftsOf,
	headOf,
	savedSeries,
	seriesMails,
	patchOf,
	withEdits,
	type PreparedSeries,
} from './savedSeries.ts';
import { readSeries, isSendable, type ReadSeries } from './readSeries.ts';
import { seriesOfUri, seriesPreview, seriesUri, type SeriesName } from './seriesPreview.ts';
import { seriesTrials, type Way } from './trySending.ts';
import { previewSeries, submitPatches } from './submitPatches.ts';
import { progressText, seriesTitle, coverFaultText, patchFaultText, problemsDetail, sentCount } from './submitWords.ts';
import type { SubmitContext } from './submitContext.ts';

/** Sends commits to a list as patches. */
export function submitFeature(parts: ListsContext) {
	const owned = new Disposables();
	const series = owned.add(savedSeries(parts.connections, parts.seriesOf));
	const context = { ...parts, series, tried: seriesTrials(parts) };
	const inTurn = oneSending();
	const commands: CommandTable = {
		'forge.submit.prepare': (subject, signal) => submitPatches(context, subject, signal),
		'forge.submit.preview': async (subject, signal) =>
			previewSeries(context, await seriesTarget(context, subject), signal),
		'forge.submit.editMail': async (subject, signal) =>
			editPrepared(context, await seriesTarget(context, subject), signal),
		'forge.submit.send': async (subject, signal) => {
			const series = await seriesTarget(context, subject);
			await inTurn(`${series.connectionKey} ${series.id}`, () => sendSeries(context, series, signal));
		},
		'forge.submit.discard': async (subject) => {
			const target = await seriesTarget(context, subject);
			const detail = vscode.l10n.t(
				"Your commits are not changed. What was not sent is not sent. This can't be undone.",
			);
			const question = vscode.l10n.t('Discard the prepared patches "{0}"?', seriesTitle(target));
			if (await confirmForGood(question, detail, vscode.l10n.t('Discard'))) {
				await dropSeries(context, target);
			}
		},
	};
	return {
		/** Previews of series, `forge-series:`. */
		previews: owned.add(seriesPreview(context)),
		commands: withGitErrors(parts, commands),
		/** Of queued mails. */
		originOf(connection: Connection, id: string): MailOrigin | undefined {
			const kept = series.of(connection.key, id);
			return kept && seriesOrigin(context, connection, kept);
		},
		dispose: () => owned.dispose(),
	};
}

/** The command's series: a given one, that of the active document, or one that the user chooses. */
async function seriesTarget({ series }: SubmitContext, subject: unknown): Promise<PreparedSeries> {
	const { kind, connectionKey, id } = isRecord(subject) ? subject : {};
	const named = kind === 'series' && typeof connectionKey === 'string' && typeof id === 'string';
	const meant: SeriesName | undefined = named
		? { connectionKey, id }
		: seriesOfUri(subject ?? vscode.window.activeTextEditor?.document.uri);
	const all = meant ? [] : series.all();
	const only = meant ?? all[0];
	if (!only) {
		void notify('information', vscode.l10n.t('No patches are prepared. Use Send Patches… first.'));
		throw cancelled();
	}
	const chosen =
		all.length < 2
			? only
			: await choose<SeriesName>(
					vscode.l10n.t('Choose the prepared patches'),
					all.map((each) => ({
						label: seriesTitle(each),
						description: progressText(each),
						iconPath: new vscode.ThemeIcon('mail'),
						value: each,
					})),
				);
	// Reload: it may have been sent during the question.
	const known = series.of(chosen.connectionKey, chosen.id);
	if (!known) {
		void notify('information', vscode.l10n.t('These patches are no longer prepared. Use Send Patches… again.'));
		throw cancelled();
	}
	return known;
}

/** Opens a mail of a series that is not sent yet as a document; asks which one. Throws `GitFailure`. */
async function editPrepared(parts: SubmitContext, series: PreparedSeries, signal: AbortSignal): Promise<void> {
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
		// Reload the stored series: another window may be sending it.
		const stored = parts.series.of(now.connectionKey, now.id);
		if (stored) {
			const madeHead = headOf(text);
			const noted = stored.mails.map((each, place) => (place === at ? { ...each, madeHead } : each));
			await parts.series.put({ ...stored, mails: noted });
		}
	}
	await mailDrafts.open(about, text);
}

/** Whether it certainly did not go out. */
function isStillHere({ mails }: PreparedSeries, at: number): boolean {
	const kind = mails[at]?.progress.kind;
	return kind === 'waiting' || kind === 'notSent';
}

/** Sends or hands over the rest of a series and reports the outcome. Throws `GitFailure`. */
async function sendSeries(parts: SubmitContext, kept: PreparedSeries, signal: AbortSignal): Promise<void> {
	if (!parts.trust.isTrusted()) {
		throw new GitFailure({ kind: 'notTrusted' });
	}
	const asked = stateOf(parts, kept);
	const isStale = (): boolean => stateOf(parts, kept) !== asked;
	const connection = connectionOf(parts.connections, kept);
	const { known, plan: settledPlan } = await settled(kept.mails, connection, kept.list, signal);
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
		const why = vscode.l10n.t(
			'The edited message "{0}" can\'t be sent. {1}',
			shortLine(visibleLine(read.made[broken.at]?.subject ?? ''), 120),
			patchFaultText(broken.fault),
		);
		void offer('warning', why, vscode.l10n.t('Edit Message'), () =>
			parts.mailDrafts.open(patchOf(kept, broken.at)).catch((error: unknown) => parts.problems.show(error)),
		);
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
		void tellSent(parts, series).catch((error: unknown) => parts.problems.show(error));
		return;
	}
	await showDocument(seriesUri(series), { preview: true });
	const accepted = new Set<string>();
	const confirmTrial = async (way: Way): Promise<void> => {
		const title = vscode.l10n.t('Preparing patches…');
		const found = await withProgress(title, signal, (working) => read.tried(mails, way, working));
		const differing = found.filter((problem) => isOfTrial(problem) && !accepted.has(JSON.stringify(problem)));
		if (differing.some(isBlocking)) {
			void notify('error', vscode.l10n.t('Nothing was sent. {0}', problemsDetail(differing)));
			throw cancelled();
		}
		// The editor presses the first button for Enter, and its "Cancel" is never the first.
		const [show, anyway] = [vscode.l10n.t('Show Patches'), vscode.l10n.t('Send Anyway')];
		const question = vscode.l10n.t('Check this before you send the patches.');
		if (differing.length > 0 && (await chooseAction(question, problemsDetail(differing), show, anyway)) !== anyway) {
			throw cancelled();
		}
		differing.forEach((problem) => accepted.add(JSON.stringify(problem)));
	};
	await confirmTrial('git');
	const sent = await sendMails(
		parts,
		connection,
		{
			origin: seriesOrigin(parts, connection, series),
			mails: waiting,
			kind: 'patches',
			clone: kept.root,
			isStale,
			also: () => [
				...sentBeforeTexts(sentCount(series)),
				...(read.problems.length === 0 ? [] : [problemsDetail(read.problems)]),
			],
			plan,
			known,
			beforeHandOver: confirmTrial,
			test: () =>
				sendTest(parts, { mails: waiting, clone: kept.root }, () => newMessageId(parts.newName(), series.from), signal),
		},
		signal,
	);
	if (sent.way !== 'git') {
		const text = vscode.l10n.t('{0} The patches stay prepared. Discard them once the messages are sent.', sent.done);
		// Only the user knows whether the mails are out, so the series stays until they confirm.
		void offer('information', text, vscode.l10n.t('Discard Patches'), async () => {
			if (isStale()) {
				void notify('information', vscode.l10n.t('The patches were changed or sent since, so they stay as they are.'));
				return;
			}
			await dropSeries(parts, series).catch((error: unknown) => parts.problems.show(error));
		});
		return;
	}
	const { now, why, severity } = sent;
	const after = { ...series, mails: now };
	if (sentCount(after) === now.length) {
		if (sent.isRemoved) {
			void tellSent(parts, after).catch((error: unknown) => parts.problems.show(error));
		}
		return;
	}
	if (sent.isQueued) {
		return tellQueued(now.length - sentCount(after));
	}
	const subjects = sentSubjects(mails, now);
	const text =
		subjects.length === 0
			? vscode.l10n.t('No message was sent. {0} The patches stay prepared.', why)
			: vscode.l10n.t(
					'{0} of {1} sent: {2}. {3} The others stay prepared.',
					subjects.length,
					mailsText(now.length),
					subjectsText(subjects),
					why,
				);
	const { connectionKey, id } = series;
	void offer(severity, text, vscode.l10n.t('Try Again'), () =>
		vscode.commands.executeCommand('forge.submit.send', { kind: 'series', connectionKey, id }),
	);
}

/** Asks again, because the cover letter may be newer than the preview. Throws `cancelled()` on "no". */
async function askOfCover({ problems }: ReadSeries, [first]: PreparedSeries['mails']): Promise<void> {
	if (first?.progress.kind === 'waiting' && problems.some(({ kind }) => kind === 'patchInCover')) {
		await confirmPatchInCover();
	}
}

/** Fingerprint of a stored series with its cover letter and edited patches. */
function stateOf(parts: SubmitContext, kept: PreparedSeries): string {
	return JSON.stringify([parts.series.of(kept.connectionKey, kept.id), draftTexts(parts, kept)]);
}

function draftTexts({ mailDrafts }: SubmitContext, series: PreparedSeries): readonly string[] {
	return draftsOf(series).map((about) => mailDrafts.textOf(about) ?? '');
}

/**
 * Deletes a series and its drafts without a question. Closes their documents, which would otherwise appear as deleted.
 */
async function dropSeries(parts: SubmitContext, series: PreparedSeries): Promise<void> {
	for (const about of draftsOf(series)) {
		await (parts.mailDrafts.textOf(about) === undefined ? undefined : parts.mailDrafts.finish(about));
	}
	await closeTabs((address) => seriesOfUri(address)?.id === series.id);
	await parts.series.drop(series);
}

async function finished(parts: SubmitContext, series: PreparedSeries): Promise<void> {
	await dropSeries(parts, series);
	await parts.series.put({ ...series, isDone: true });
}

function seriesOrigin(parts: SubmitContext, connection: Connection, series: PreparedSeries): MailOrigin {
	const { connectionKey, id, list } = series;
	const now = (): PreparedSeries | undefined => parts.series.of(connectionKey, id);
	const withMails = (mails: readonly MailOfMany[]): PreparedSeries => ({
		...series,
		mails: v.parse(seriesMails, mails),
	});
	return {
		of: { kind: 'series', id },
		list,
		texts() {
			const kept = now();
			const mails = kept?.mails.map(({ messageId, madeHead }) => [messageId, madeHead]);
			return JSON.stringify([kept && { ...kept, mails }, kept && draftTexts(parts, kept)]);
		},
		kept: () => now()?.mails ?? [],
		keep: (mails) => parts.series.put(withMails(mails)),
		wentOut: (messageId) => connection.sentMails.wentOut(list, messageId),
		async finish(mails) {
			const after = withMails(mails);
			await (sentCount(after) === mails.length ? finished(parts, after) : undefined);
		},
		async allSent(mails) {
			void tellSent(parts, withMails(mails)).catch((error: unknown) => parts.problems.show(error));
		},
	};
}

/** Not awaited by the command: the notice may stay open for hours. */
async function tellSent(parts: SubmitContext, series: PreparedSeries): Promise<void> {
	const open = vscode.l10n.t('Open Patchset');
	const to = recipientsText([{ to: series.to, cc: series.cc }]);
	let text = vscode.l10n.t('Sent {0} to {1}.', mailsText(series.mails.length), to);
	while ((await notify('information', text, open)) === open) {
		const patchset = await withProgress(
			vscode.l10n.t('Loading patchsets…'),
			new AbortController().signal,
			async (working) => {
				const { lists, me } = connectionOf(parts.connections, series);
				lists.forget(series.list);
				const { items } = await lists.patchsets(series.list).first(working);
				const isOwn = sentBy({ account: me, address: series.from.address, mails: [] });
				const wanted = patchSubject(`[${series.tag}] ${series.title}`);
				return items.find((each) => each.version === wanted?.version && each.subject === wanted.subject && isOwn(each));
			},
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
