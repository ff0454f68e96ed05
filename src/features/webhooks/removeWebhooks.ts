import type { Clock } from '@forge-desk/base/clock.ts';
import type { Problems } from '../../editor/ask/problems.ts';
import * as vscode from 'vscode';
import { isAbort } from '@forge-desk/base/abort.ts';
import { copyText } from '../../editor/ask/copyText.ts';
import { confirm, confirmForGood, namesText, notify } from '../../editor/ask/notify.ts';
import { withProgress } from '../../editor/ask/progress.ts';
import { explain } from '../../editor/ask/problems.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { Connection } from '../../store/connection.ts';
import { visibleLine } from '../../engine/text/visible.ts';
import type { LeftWebhook, WebhookRemoval } from '../../store/webhooks/webhookRemoval.ts';
import type { WebhookContext } from './webhookContext.ts';
import { familyTitle } from './webhookWords.ts';

/** Stops receiving and deletes all of this client's webhooks on every forge. Lists the webhooks it failed to delete. */
export async function removeAllWebhooks({ connections, settings }: WebhookContext, signal: AbortSignal): Promise<void> {
	const isWanted = await confirmForGood(
		vscode.l10n.t('Remove all webhooks of Forge Desk?'),
		vscode.l10n.t('They are removed from every forge that you are signed in to, and webhooks are no longer received.'),
		vscode.l10n.t('Remove Webhooks'),
	);
	if (!isWanted) {
		return;
	}
	await settings.setOn(false);
	const accounts = connections
		.all()
		.map(({ webhooks, instance }) => ({ webhooks, instance, count: thereNow(webhooks).length }));
	const removals: WebhookRemoval[] = [];
	const forges = new Set<string>();
	try {
		await withProgress(vscode.l10n.t('Removing webhooks…'), signal, async (whileRemoving) => {
			// Sequential, so that a cancelled run can report its progress.
			for (const { webhooks, instance } of accounts) {
				const removal = await webhooks.removeAll('everything', whileRemoving);
				const left = withLeftBefore(removal.left, webhooks);
				removals.push({ ...removal, left });
				if (left.length > 0) {
					forges.add(instance.name);
				}
			}
		});
	} catch (error) {
		signal.throwIfAborted();
		if (!isAbort(error)) {
			throw error;
		}
		return tellCancelled(removals, accounts.slice(removals.length));
	}
	const done = removedText(removals.reduce((sum, each) => sum + each.removed, 0));
	const left = removals.flatMap((each) => each.left);
	if (left.length === 0) {
		return void (await notify('information', done));
	}
	const names = Array.from(forges).join(', ');
	const text = areRefused(left)
		? vscode.l10n.t("{0} {1} doesn't allow removing others. Remove them on the pages of {1}.", done, names)
		: vscode.l10n.t('{0} Others may still exist on {1}. Remove them on the pages of {1}.', done, names);
	await offerNames(text, left.map(leftText));
}

/** Webhooks that probably exist on the forge. */
function thereNow(webhooks: Connection['webhooks']): readonly string[] {
	return webhooks
		.all()
		.flatMap(({ family, url }) =>
			url === undefined ? [] : [vscode.l10n.t('{0} ({1})', familyTitle(family), visibleLine(url))],
		);
}

/** `others`: accounts with unfinished removal and their earlier webhook counts. */
async function tellCancelled(
	removals: readonly WebhookRemoval[],
	others: readonly { readonly webhooks: Connection['webhooks']; readonly count: number }[],
): Promise<void> {
	const still = others.map(({ webhooks }) => thereNow(webhooks));
	const removed = others.reduce(
		(sum, { count }, at) => sum + Math.max(0, count - (still[at]?.length ?? 0)),
		removals.reduce((sum, each) => sum + each.removed, 0),
	);
	const lost = others.flatMap(({ webhooks }) => withLeftBefore([], webhooks));
	const left = [...removals.flatMap((each) => each.left), ...lost].map(leftText);
	const text = vscode.l10n.t(
		'{0} The removal was cancelled. Run the command again to remove the others.',
		removedText(removed),
	);
	await offerNames(text, [...still.flat(), ...left]);
}

/** Longest delay of a sign-out. */
const mostWaitMs = 20_000;

/**
 * Deletes the account's webhooks before its token goes. A cancel or a timeout ends the wait. The report names remaining
 * webhooks, even from earlier failures, because nobody can list them after the sign-out. Rejects only with the signal's
 * abort. Calls `removing` before the removal starts, so that the webhooks can return if the token stays.
 */
export async function removeBeforeTokenGoes(
	{ webhooks, instance }: Connection,
	clock: Clock,
	problems: Problems,
	removing: () => void,
	signal: AbortSignal,
): Promise<void> {
	const there = webhooks.all().filter(({ url }) => url !== undefined);
	if (there.length === 0) {
		return tellLeft(withLeftBefore([], webhooks), instance.name, problems);
	}
	removing();
	const late = new AbortController();
	const timer = clock.after(mostWaitMs, () => late.abort());
	try {
		const patient = AbortSignal.any([signal, late.signal]);
		const { left } = await withProgress(vscode.l10n.t('Removing webhooks…'), patient, (whileRemoving) =>
			webhooks.removeAll('watched', whileRemoving),
		);
		tellLeft(withLeftBefore(left, webhooks), instance.name, problems);
	} catch (error) {
		signal.throwIfAborted();
		problems.log(error);
		const names = [...webhooks.all(), ...webhooks.lost()].flatMap(({ url }) =>
			url === undefined ? [] : [visibleLine(url)],
		);
		offerLeft(mayExistText(instance.name), names, problems);
	} finally {
		timer.dispose();
	}
}

/** Adds webhooks from earlier failures. */
function withLeftBefore(left: readonly LeftWebhook[], { lost }: Connection['webhooks']): readonly LeftWebhook[] {
	const before = lost().filter(({ url }) => !left.some((each) => each.url === url));
	return [...left, ...before.map(({ family, url }): LeftWebhook => ({ family, url, why: { kind: 'notAllowed' } }))];
}

function tellLeft(left: readonly LeftWebhook[], forge: string, problems: Problems): void {
	const text = areRefused(left)
		? vscode.l10n.t("{0} doesn't allow removing some webhooks. Remove them on the pages of {0}.", forge)
		: mayExistText(forge);
	offerLeft(text, left.map(leftText), problems);
}

function mayExistText(forge: string): string {
	return vscode.l10n.t('Some webhooks may still exist on {0}. Remove them on the pages of {0}.', forge);
}

/** Not awaited: sign-out does not wait for the notice. */
function offerLeft(text: string, names: readonly string[], problems: Problems): void {
	if (names.length > 0) {
		offerNames(text, names).catch(problems.log);
	}
}

/** True if the forge refused every removal. After any other failure, a webhook may be gone. */
function areRefused(left: readonly LeftWebhook[]): boolean {
	return left.every(({ why }) => why.kind === 'notAllowed');
}

function removedText(count: number): string {
	return count === 1 ? vscode.l10n.t('1 webhook was removed.') : vscode.l10n.t('{0} webhooks were removed.', count);
}

function leftText({ family, url, why }: LeftWebhook): string {
	return vscode.l10n.t('{0} ({1}): {2}', familyTitle(family), visibleLine(url), explain(new ForgeError(why)).message);
}

async function offerNames(text: string, names: readonly string[]): Promise<void> {
	const show = vscode.l10n.t('Show');
	const isWanted = (await notify('warning', text, show)) === show;
	if (isWanted && (await confirm(text, namesText(names), vscode.l10n.t('Copy All')))) {
		await copyText(names.join('\n'));
	}
}
