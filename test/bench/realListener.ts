import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src/app/accounts/systemClock.ts';
import { onDispose } from '@forge-desk/base/lifecycle.ts';
import { webhookSettings } from '../../src/features/webhooks/webhookContext.ts';
import type { WebhookFamily } from 'sourcehut/port/webhook.ts';
import { createHookPath } from '../../src/machine/listener/hookPath.ts';
import { openListener } from '../../src/machine/listener/openListener.ts';
import { readDelivery } from 'sourcehut/rest/deliveryHints.ts';
import { openListening, type ListeningAccount } from '../../src/store/listening/listening.ts';
import { fileLines } from '../../src/machine/storage/fileLines.ts';
import { fileTexts } from '../../src/machine/storage/fileTexts.ts';
import { heldLease } from '../support/heldLease.ts';
import { hookPath } from '../support/hookSender.ts';
import { makeInstance } from '../support/makeSession.ts';
import type { OpenedListener } from '../support/openedListener.ts';
import { quietLog } from '../support/quietLog.ts';
import { standFor } from '../support/standFor.ts';

export interface RealListenerParts {
	readonly publicKey: string;
	/** Owner of the single webhook. */
	readonly family: WebhookFamily;
	/** Called with the id of a delivery, or with `many` for dropped ones. */
	readonly received?: (id: string) => void;
}

/**
 * A window's listener with its per-request reads: settings, hooks of an account, and the probe file. Only the editor's
 * settings and the account's webhooks are fakes.
 */
export async function openRealListener({
	publicKey,
	family,
	received = () => undefined,
}: RealListenerParts): Promise<Pick<OpenedListener, 'listener'> & AsyncDisposable> {
	const owned = new AsyncDisposableStack();
	const folder = mkdtempSync(join(tmpdir(), 'forge-desk-bench-'));
	owned.defer(() => rmSync(folder, { recursive: true }));
	const texts = fileTexts(folder, () => true, systemClock);
	const seen = fileLines(join(folder, 'seen.txt'), 100);
	// A late write would recreate the folder, or block its removal.
	owned.defer(() => seen.flush());
	const opened = Promise.withResolvers<OpenedListener['listener']>();
	const account: ListeningAccount = {
		instance: { ...makeInstance(), webhookKey: publicKey },
		webhooks: {
			listenAt: () => undefined,
			at: (path) => (path === hookPath ? { family } : undefined),
			deliveries: {
				read: (of, delivery) => readDelivery(of, delivery?.event ?? '', delivery?.body ?? new Uint8Array()),
				take: () => undefined,
				missed: () => undefined,
			},
		},
	};
	const listening = openListening({
		settings: settingsOf({
			'webhooks.receive': true,
			'webhooks.publicAddress': 'https://hooks.example/forge',
		}),
		accounts: { all: () => [account], onDidChange: () => onDispose(() => undefined) },
		lease: heldLease,
		async open(options, signal) {
			const opening = await openListener(
				{
					...options,
					received(arrival) {
						received(arrival.kind === 'delivery' ? arrival.delivery.id : 'many');
						return options.received(arrival);
					},
				},
				seen,
				quietLog(),
				signal,
			);
			if (opening.kind === 'open') {
				opened.resolve(opening.listener);
			} else {
				opened.reject(new Error(`The listener was not opened: ${opening.kind}`));
			}
			return opening;
		},
		port: texts.of('port', 'listener'),
		onDidWritePort: () => onDispose(() => undefined),
		probe: texts.of('probe', 'listener', 'ifWritten'),
		newPath: () => createHookPath((size) => randomBytes(size)),
		clock: systemClock,
		log: quietLog(),
	});
	owned.defer(() => listening.dispose());
	return { listener: await opened.promise, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** Constant editor settings. */
function settingsOf(values: Readonly<Record<string, unknown>>): ReturnType<typeof webhookSettings> {
	return webhookSettings(
		standFor<Parameters<typeof webhookSettings>[0]>({
			getConfiguration: () => ({ get: (name: string): unknown => values[name] }),
			onDidChangeConfiguration: () => onDispose(() => undefined),
		}),
	);
}
