import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { Emitter } from '@forge-desk/base/event.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { webhooksFeature } from '../../features/webhooks/webhooksFeature.ts';
import { webhookSettings } from '../../features/webhooks/webhookContext.ts';
import { forEachArea } from 'sourcehut/port/instance.ts';
import { createHookPath } from '../../machine/listener/hookPath.ts';
import { openListening } from '../../store/listening/listening.ts';
import type { PostDelivery } from '../../store/listening/probeAddress.ts';
import { withoutArchives } from '../accounts/withArea.ts';
import type { DeskAccounts } from '../accounts/deskAccounts.ts';
import type { Log } from '../../base/log.ts';
import type { FileLines } from '../../machine/storage/fileLines.ts';
import type { ListenerOptions, Opening } from '../../store/listening/openedListener.ts';

/** Webhooks of this window: the listener while it holds the lease, and their user interface. */
export function windowWebhooks(accounts: DeskAccounts) {
	const { live, shown, clock, log, net, lease, windowTexts, seenDeliveries, onDidChangeSessions } = accounts;
	const owned = new Disposables();
	// An archive sends no deliveries.
	const connections = withoutArchives(live);
	const settings = webhookSettings(vscode.workspace);
	const changed = owned.add(new Emitter<void>());
	owned.add(live.onDidChange(() => changed.fire()));
	// After a new token replaced one with removed webhooks, they are wanted again.
	owned.add(onDidChangeSessions(() => changed.fire()));
	const post: PostDelivery = async ({ origin, path, headers, json }, signal) => {
		const opened = await net.open();
		const instance = { areas: forEachArea(() => origin) };
		const body = { contentType: 'application/json', text: json };
		return opened.request({ instance, area: 'meta', method: 'POST', path, headers, body, signal });
	};
	const listening = owned.add(
		openListening({
			settings,
			accounts: { all: () => connections.all(), onDidChange: changed.event },
			lease,
			open: webhookListener(seenDeliveries, log),
			port: windowTexts.of('port', 'listener'),
			onDidWritePort: owned.add(windowTexts.watched('port', 'listener')).onDidWrite,
			probe: windowTexts.of('probe', 'listener', 'ifWritten'),
			newPath: () => createHookPath((size) => randomBytes(size)),
			clock,
			log,
		}),
	);
	const feature = owned.add(webhooksFeature({ connections, listening, settings, problems: shown, clock }));
	return { commands: feature.commands, listening, post, dispose: () => owned.dispose() };
}

/** Opens the webhook listener. Remembers deliveries across listeners and windows in `seen`, to reject replays. */
export function webhookListener(seen: FileLines, log: Log) {
	return async (options: ListenerOptions, signal: AbortSignal): Promise<Opening> => {
		// Loads the bundle on first use.
		const { openListener } = await import('../../machine/listener/openListener.ts');
		const opening = await openListener(options, seen, log, signal);
		if (opening.kind !== 'open') {
			return opening;
		}
		const { listener } = opening;
		return {
			kind: 'open',
			listener: {
				port: listener.port,
				dispose() {
					// Flush before the port is free, so that the next listener reads everything.
					void seen.flush();
					listener.dispose();
				},
			},
		};
	};
}
