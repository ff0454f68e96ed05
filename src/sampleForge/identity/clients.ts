import { randomBytes, timingSafeEqual } from 'node:crypto';

/** A registered third-party client (docs/protocol.md#registered-clients). */
export interface Client {
	/** 16 hex digits, or a UUID in some dialects. */
	readonly id: string;
	/** 32 hex digits, shown once. */
	readonly secret: string;
	readonly name: string;
	/** An http address, or `urn:ietf:wg:oauth:2.0:oob`. */
	readonly redirectUri: string;
}

export const outOfBand = 'urn:ietf:wg:oauth:2.0:oob';

/** True for a registrable address: http, https, gemini, gopher, or out of band. */
export function isRegistrable(redirectUri: string): boolean {
	return redirectUri === outOfBand || (URL.canParse(redirectUri) && /^(https?|gemini|gopher):/.test(redirectUri));
}

export type Clients = ReturnType<typeof createClients>;

export function createClients(known: readonly Client[], newId: () => string) {
	const clients = new Map(known.map((client) => [client.id, client]));
	return {
		find: (id: string) => clients.get(id),
		add(name: string, redirectUri: string) {
			const client: Client = {
				id: newId(),
				secret: randomBytes(16).toString('hex'),
				name,
				redirectUri,
			};
			clients.set(client.id, client);
			return client;
		},
	};
}

/** Whether a secret is the right one, in the same time for every wrong one of its length. */
export function sameText(given: string, known: string): boolean {
	const [one, other] = [Buffer.from(given), Buffer.from(known)];
	return one.length === other.length && timingSafeEqual(one, other);
}
