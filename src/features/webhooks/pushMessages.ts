import * as vscode from 'vscode';
import { chooseSeveral, type TickChoice } from '../../editor/ask/ask.ts';
import { notify, tellBriefly } from '../../editor/ask/notify.ts';
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

/** What a forge has for one it has for all. */
const anyRepository: WebhookFamily = { kind: 'repository', ref: { owner: '', name: '' } };

/** Asks which repositories show a message in the terminal of whoever pushes; each choice makes its webhook anew. */
export async function pushMessages(
	{ connections }: Pick<WebhookParts, 'connections'>,
	signal: AbortSignal,
): Promise<void> {
	const all = connections.all().filter(({ webhooks }) => webhooks.log.offers(anyRepository).isSyncPossible);
	if (all.length === 0 && connections.all().length > 0) {
		await notify('information', vscode.l10n.t('Your forges do not print messages to those who push.'));
		return;
	}
	const groups = withProgress(vscode.l10n.t('Reading repositories…'), signal, async (whileReading) =>
		Promise.all(
			all.map(async (connection) => ({
				heading: vscode.l10n.t('{0} on {1}', connection.me, connection.instance.name),
				choices: (await repositoriesOf(connection, whileReading)).map((ref): TickChoice<Choosable> => ({
					label: visibleLine(refText(ref)),
					picked: connection.webhooks.isSync(ref),
					value: { connection, ref },
				})),
			})),
		),
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

/** One's own and those that are followed, each once. */
async function repositoriesOf(
	{ repositories, me }: WebhookAccount,
	signal: AbortSignal,
): Promise<readonly RepositoryRef[]> {
	const { items } = await repositories.ownRepositories(signal);
	const own = items.map((each) => ownRepositoryRef(each, me));
	return [...new Map([...own, ...repositories.followedRepositories()].map((ref) => [refText(ref), ref])).values()];
}
