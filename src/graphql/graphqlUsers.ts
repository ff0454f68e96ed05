import type { UserApi } from '../forge/forge.ts';
import { ForgeError } from '../forge/forgeError.ts';
import type { ContentArea } from '../forge/instance.ts';
import type { Scope } from '../forge/scope.ts';
import type { GraphqlCaller } from './door/graphqlCaller.ts';
import { me, someone, version } from './userDocuments.ts';

/** Every scope of an area allows these queries. */
const anyScope: Readonly<Record<ContentArea, Scope>> = {
	todo: 'trackers:read',
	lists: 'lists:read',
	git: 'info:read',
};

export function graphqlUsers({ ask }: GraphqlCaller): Required<UserApi> {
	return {
		async user(area, name, signal) {
			const asked = { area, scope: anyScope[area] };
			const found =
				name === undefined
					? await ask({ ...asked, ...me }, {}, signal)
					: await ask({ ...asked, ...someone }, { name: name.replace(/^~/, '') }, signal);
			if (found === undefined) {
				throw new ForgeError({ kind: 'notFound' });
			}
			return found;
		},
		version: async (area, signal) => (await ask({ area, scope: anyScope[area], ...version }, {}, signal)) ?? 'unknown',
	};
}
