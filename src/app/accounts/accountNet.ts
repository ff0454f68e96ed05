import type { AccountNet } from '../../features/accounts/accountsContext.ts';
import type { Forge } from 'sourcehut/port/forge.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { areasOf, protocolOf, type ContentArea } from 'sourcehut/port/instance.ts';
import type { Pages } from 'sourcehut/port/page.ts';
import type { Net } from 'sourcehut/net.ts';
import type { FoundProtocols } from '../../store/shared/foundProtocols.ts';

/** Network access for sign-in. Loads the network code on the first call. */
export function accountNet(net: () => Promise<Net>, protocols: FoundProtocols): AccountNet {
	return {
		protocol: async (instance) => (await net()).protocol(instance),
		async withProtocols(instance, signal) {
			const asked = await Promise.allSettled(
				areasOf(instance).map(async (area) => protocols.find(instance, area, signal)),
			);
			signal.throwIfAborted();
			const failed = asked.flatMap((each) => (each.status === 'rejected' ? [each] : []));
			if (failed.length === asked.length) {
				throw failed[0]?.reason;
			}
			const found = protocols.withFound(instance);
			if (areasOf(instance).every((area) => found.protocols[area] === undefined)) {
				// No area reports its API, so the right kind of token is unknown.
				throw new ForgeError({
					kind: 'notUnderstood',
					where: 'the answer',
					why: 'it does not tell which API there is',
				});
			}
			return found;
		},
		findHub: async (origins, signal) => (await net()).findHub(origins, signal),
		identity: (instance) => async (request, signal) => {
			const { method, path, content } = request;
			const opened = await net();
			return opened.request({
				instance,
				area: 'meta',
				method,
				path,
				...(content === undefined ? {} : { body: { contentType: content.type, text: content.text } }),
				signal,
			});
		},
		whoAmI: (instance) => async (area, token, signal) => {
			const opened = await net();
			const forge = opened.connectForge({ instance, me: '', tokenFor: () => token.reveal() });
			const { canonicalName } = await forge.users.user(area, undefined, signal);
			return canonicalName;
		},
		readAnything: readAnything(net),
	};
}

export function readAnything(net: () => Promise<Net>): AccountNet['readAnything'] {
	return (instance) => async (area, token, signal) => {
		if (protocolOf(instance, area) === 'graphql') {
			// Barred accounts fail every GraphQL request, so `whoAmI` has failed before
			// (docs/protocol.md#barred-accounts).
			return;
		}
		const opened = await net();
		const forge = opened.connectForge({ instance, me: '', tokenFor: () => token.reveal() });
		await firstOwn(forge, area, signal).next();
	};
}

/** The user's own resources in an area: the cheapest request that needs the read permission. */
function firstOwn({ trackers, lists, repositories }: Forge, area: ContentArea, signal: AbortSignal): Pages<unknown> {
	switch (area) {
		case 'todo':
			return trackers.trackers(undefined, signal);
		case 'lists':
			return lists.lists(undefined, signal);
		case 'git':
			return repositories.repositories(undefined, signal);
	}
}
