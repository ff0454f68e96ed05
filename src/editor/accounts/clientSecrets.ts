import * as v from 'valibot';
import type { ForgeInstance } from 'sourcehut/port/instance.ts';
import { Token } from 'sourcehut/identity/token.ts';
import type { SampleSource } from './sampleSource.ts';
import type { Secrets } from './sessionStore.ts';

const prefix = 'forge.client:';
const stored = v.pipe(
	v.string(),
	v.parseJson(),
	v.object({ origin: v.string(), clientId: v.string(), secret: v.pipe(v.string(), v.minLength(1)) }),
);

/** Secrets of the clients that users registered on forges of the older flow. */
export type ClientSecrets = ReturnType<typeof clientSecrets>;

/**
 * Kept in SecretStorage, bound to the identity service's origin and the client's id; the sample forge brings its own.
 */
export function clientSecrets(secrets: Secrets, sample: SampleSource) {
	const held = new Map<string, Token>();
	const keyOf = (instance: ForgeInstance): string =>
		JSON.stringify([instance.id, instance.areas.meta, clientIdOf(instance)]);
	return {
		/** `undefined` if unknown, or given for another client or address. */
		async get(instance: ForgeInstance) {
			const running = sample.running();
			if (instance.isSample) {
				return running?.instance.id === instance.id ? running.clientSecret : undefined;
			}
			const read = v.safeParse(stored, await secrets.get(prefix + instance.id));
			const fits =
				read.success && read.output.origin === instance.areas.meta && read.output.clientId === clientIdOf(instance);
			return fits ? new Token(read.output.secret) : held.get(keyOf(instance));
		},
		async set(instance: ForgeInstance, secret: Token) {
			const value = { origin: instance.areas.meta, clientId: clientIdOf(instance), secret: secret.reveal() };
			await secrets.store(prefix + instance.id, JSON.stringify(value));
		},
		/** Holds a secret that no server has accepted yet, in this window only; `undefined` drops it. */
		hold(instance: ForgeInstance, secret: Token | undefined) {
			if (secret === undefined) {
				held.delete(keyOf(instance));
			} else {
				held.set(keyOf(instance), secret);
			}
		},
		/** Nothing happens when there is none. */
		async forget(instance: ForgeInstance) {
			await secrets.delete(prefix + instance.id);
		},
	};
}

function clientIdOf({ signIn }: ForgeInstance): string {
	return signIn.kind === 'tokenOnly' ? '' : signIn.clientId;
}
