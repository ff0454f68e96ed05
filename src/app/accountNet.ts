import type { AccountNet } from '../features/accounts/signIn.ts';
import type { Net } from '../net.ts';

/** What signing in asks of the network; loaded on the first call. */
export function accountNet(net: () => Promise<Net>): AccountNet {
	return {
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
	};
}
