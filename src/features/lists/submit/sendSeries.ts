import * as vscode from 'vscode';
import { notify } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { closeTabs } from '../../../editor/links/tabAddresses.ts';
import type { Patchset } from '../../../forge/list.ts';
import { patchSubject } from '../../../forge/patchSubject.ts';
import { GitFailure } from '../../../localGit/gitFailure.ts';
import { again } from '../../../review/sending.ts';
import { sentBy } from '../../../state/people/sentBy.ts';
import { askToWrap, confirmPatchInCover } from '../reply/ownTexts.ts';
import { confirmSending, removeSent, sendInTurn, settled, type WhyNotSent } from '../reply/sendInTurn.ts';
import { askWay, handOver } from '../reply/sendWays.ts';
import type { Standing } from '../reply/standing.ts';
import { mailsText, recipientsText, sentBeforeTexts, sentSubjects, subjectsText } from '../reply/sendWords.ts';
import type { PreparedSeries } from './keptSeries.ts';
import { draftsOf, patchOf, type BrokenPatch } from './preparedMails.ts';
import { isSendable, readSeries, type ReadSeries } from './readSeries.ts';
import { seriesOfUri } from './seriesPreview.ts';
import type { SubmitParts } from './submitParts.ts';
import { shortLine, visibleLine } from '../../../text/visible.ts';
import { coverFaultText, patchFaultText, problemsDetail, seriesTitle, sentCount } from './submitWords.ts';

/** Sends or hands over the rest of a series and reports the outcome. Throws `GitFailure`. */
export async function sendSeries(parts: SubmitParts, kept: PreparedSeries, signal: AbortSignal): Promise<void> {
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
function seriesStanding({ series, documents }: SubmitParts, kept: PreparedSeries): string {
	const texts = draftsOf(kept).map((about) => documents.textOf(about) ?? '');
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
		await parts.documents.open(patchOf(series, broken.at)).catch((error: unknown) => parts.problems.show(error));
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
export async function dropSeries(parts: SubmitParts, series: PreparedSeries): Promise<void> {
	for (const about of draftsOf(series)) {
		await (parts.documents.textOf(about) === undefined ? undefined : parts.documents.finish(about));
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
