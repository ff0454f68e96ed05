import * as vscode from 'vscode';
import { chooseSeveral, type TickGroup } from '../../editor/ask/ask.ts';
import { notify, tellBriefly } from '../../editor/ask/notify.ts';
import { explain, type Problems } from '../../editor/ask/problems.ts';
import { withProgress } from '../../editor/ask/progress.ts';
import { refText } from '../../forge/namedRef.ts';
import { ownRepositoryRef, type RepositoryRef } from '../../forge/repository.ts';
import type { WebhookFamily } from '../../forge/webhook.ts';
import { visibleLine } from '../../text/visible.ts';
import type { WebhookAccount, WebhookParts } from './webhookParts.ts';

interface Choosable {
	readonly connection: WebhookAccount;
	readonly ref: RepositoryRef;
}

/** A forge-wide webhook covers every repository. */
const anyRepository: WebhookFamily = { kind: 'repository', ref: { owner: '', name: '' } };

/** Asks for the repositories that show a message to pushers. Each change recreates the webhook. */
export async function pushMessages(
	{ connections, problems }: Pick<WebhookParts, 'connections' | 'problems'>,
	signal: AbortSignal,
): Promise<void> {
	const all = connections.all().filter(({ webhooks }) => webhooks.log.offers(anyRepository).isSyncPossible);
	if (all.length === 0 && connections.all().length > 0) {
		await notify('information', vscode.l10n.t('Your forges do not print messages to those who push.'));
		return;
	}
	const groups = withProgress(vscode.l10n.t('Reading repositories…'), signal, (whileReading) =>
		groupsOf(all, problems, whileReading),
	);
	const chosen = await chooseSeveral(
		vscode.l10n.t('Show Message on Push'),
		vscode.l10n.t('Choose repositories that show a message to those who push'),
		groups,
	);
	const before = (await groups).flatMap(({ choices }) => choices);
	const isWanted = ({ connection, ref }: Choosable): boolean =>
		chosen.some((each) => each.connection === connection && refText(each.ref) === refText(ref));
	const changed = before.filter(({ picked, value }) => picked !== isWanted(value));
	for (const { picked, value } of changed) {
		await value.connection.webhooks.setSync(value.ref, !picked);
	}
	if (changed.length > 0) {
		tellBriefly(vscode.l10n.t('Webhooks are made again for what you changed.'));
	}
}

/** Repositories of each account. An account that can't be loaded gets a message; the others still appear. */
async function groupsOf(
	connections: readonly WebhookAccount[],
	problems: Pick<Problems, 'log'>,
	signal: AbortSignal,
): Promise<readonly TickGroup<Choosable>[]> {
	const failed: { readonly connection: WebhookAccount; readonly error: unknown }[] = [];
	const read = connections.map((connection) =>
		groupOf(connection, signal).catch((error: unknown) => void failed.push({ connection, error })),
	);
	const groups = (await Promise.all(read)).filter((group) => group !== undefined);
	signal.throwIfAborted();
	const [first] = failed;
	if (first && groups.length === 0) {
		throw first.error;
	}
	for (const { connection, error } of failed) {
		// Not awaited: a notice may stay open for hours.
		tellMissing(connection, error).catch((reason: unknown) => problems.log(reason));
	}
	return groups;
}

async function tellMissing(connection: WebhookAccount, error: unknown): Promise<void> {
	const reason = explain(error).message;
	const text = vscode.l10n.t('The repositories of {0} could not be loaded. {1}', accountText(connection), reason);
	await notify('warning', text);
}

function accountText({ me, instance }: WebhookAccount): string {
	return vscode.l10n.t('{0} on {1}', me, instance.name);
}

async function groupOf(connection: WebhookAccount, signal: AbortSignal): Promise<TickGroup<Choosable>> {
	return {
		heading: accountText(connection),
		choices: (await repositoriesOf(connection, signal)).map((ref) => ({
			label: visibleLine(refText(ref)),
			picked: connection.webhooks.isSync(ref),
			value: { connection, ref },
		})),
	};
}

/** Own and followed repositories without duplicates. */
async function repositoriesOf(
	{ repositories, me }: WebhookAccount,
	signal: AbortSignal,
): Promise<readonly RepositoryRef[]> {
	let listing = await repositories.ownRepositories(signal);
	while (listing.completeness.kind === 'more') {
		const { length } = listing.items;
		listing = await repositories.moreOwnRepositories(signal);
		if (listing.items.length <= length) {
			break;
		}
	}
	const own = listing.items.map((each) => ownRepositoryRef(each, me));
	return [...new Map([...own, ...repositories.followedRepositories()].map((ref) => [refText(ref), ref])).values()];
}
