import { createRequire } from 'node:module';
import { join } from 'node:path';
import * as v from 'valibot';
import { systemClock } from '../../src/app/accounts/systemClock.ts';
import type { Forge } from 'sourcehut/port/forge.ts';
import type { GitReads } from 'sourcehut/port/gitReads.ts';
import type { ForgeInstance } from 'sourcehut/port/instance.ts';
import type { Net } from 'sourcehut/net.ts';
import type { RepositoryStore } from '../../src/store/repositories/repositoryStore.ts';
import type { RepositorySources } from '../../src/store/repositories/repositorySources.ts';
import { root } from '../harness/places.ts';
import { directTransport } from '../support/contractForge.ts';
import { sampleInstance } from '../support/fakeConnection.ts';
import { storeOver } from '../support/repositoryAccount.ts';
import { startSampleForge, type SampleForge, type SampleForgeOptions } from '../support/sampleForge.ts';

const chunk = v.object({
	openNet: v.custom<(typeof import('sourcehut/net.ts'))['openNet']>((value) => typeof value === 'function'),
});

/** The packaged API layer. The caller closes it. */
export function openPackagedNet(git?: GitReads): Net {
	const { openNet } = v.parse(chunk, createRequire(import.meta.url)(join(root, 'dist/net.js')));
	return openNet({
		transport: { ...directTransport, userAgent: 'ForgeDesk/0.1.0 (VS Code extension)' },
		clock: systemClock,
		random: Math.random,
		...(git ? { git } : {}),
	});
}

/** ~alice's account at a sample forge, by the packaged API layer. */
export interface PackagedAccount {
	readonly forge: SampleForge;
	readonly instance: ForgeInstance;
	readonly me: string;
	readonly connected: Forge;
	/** Headers of a request without the API layer. */
	readonly headers: Readonly<Record<string, string>>;
	/** The store of a new window, with empty caches unless `parts` fills them. The caller disposes of it. */
	readonly openStore: (parts?: Partial<RepositorySources>) => RepositoryStore;
}

/** Starts a sample forge in a separate process, and signs in. `owned` ends both. */
export async function openAccount(
	owned: AsyncDisposableStack,
	options: SampleForgeOptions = {},
): Promise<PackagedAccount> {
	const forge = await startSampleForge({ dialect: 'field', ...options });
	owned.defer(() => forge.stop());
	const net = openPackagedNet();
	owned.defer(() => net.close());
	const instance = { ...sampleInstance, areas: forge.areas };
	const me = '~alice';
	const connected = net.connectForge({ instance, me, tokenFor: () => forge.tokens.alice });
	const beginWalk = (): ReturnType<RepositorySources['beginWalk']> => Promise.resolve(net.beginWalk(instance, 'git'));
	return {
		forge,
		instance,
		me,
		connected,
		headers: { authorization: `Bearer ${forge.tokens.alice}`, accept: 'application/json' },
		openStore: (parts = {}) => storeOver(connected, { me, beginWalk, ...parts }),
	};
}
