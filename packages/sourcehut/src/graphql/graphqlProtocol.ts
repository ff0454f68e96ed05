import type { ForgeProtocol } from '../port/forgeProtocol.ts';
import { areasOf, type ForgeInstance } from '../port/instance.ts';
import { readGrantToken } from '../answers/personalToken.ts';
import { grantsOf, lackingBesides, projectGrants, readGrants, serviceNames, wordsOf } from './transport/grants.ts';

/** Forges with GraphQL: a scope maps to several grants, and the token page accepts them as a parameter. */
export function graphqlProtocol(instance: ForgeInstance): ForgeProtocol {
	const services = serviceNames(instance);
	const besides = instance.hub === undefined ? [] : projectGrants;
	return {
		areas: areasOf(instance),
		signIn: instance.signIn.kind === 'secret' ? instance.signIn : { kind: 'tokenOnly' },
		grantsOf: (scope) => grantsOf(scope, services),
		besides,
		readGranted: (text) => readGrants(text, services),
		readToken: (token) =>
			readGrantToken(token, (grants) => ({
				scopes: readGrants(grants, services),
				lacks: lackingBesides(grants, services, besides),
			})),
		tokenPage(scopes, held) {
			// Grants of an earlier token for other services don't carry over.
			const used = new Set([...Object.values(services), ...besides.map(serviceOf)]);
			const kept = wordsOf(held).filter((word) => used.has(serviceOf(word)));
			const all = new Set([...scopes.flatMap((scope) => grantsOf(scope, services)), ...besides, ...kept]);
			// Write access includes read access.
			const grants = [...all]
				.filter((grant) => !all.has(grant.replace(/:RO$/, ':RW')) || grant.endsWith(':RW'))
				.toSorted();
			return `${instance.areas.meta}/oauth2/personal-token?grants=${encodeURIComponent(grants.join(' '))}`;
		},
	};
}

/** `todo.sr.ht` of `todo.sr.ht/TICKETS:RW` */
function serviceOf(grant: string): string {
	return grant.slice(0, grant.lastIndexOf('/'));
}
