import type { ApiCall, Context, Route } from '../shared/area.ts';
import { api } from '../shared/area.ts';
import { json, list } from '../shared/answers.ts';
import { validate } from '../shared/body.ts';
import { showUser } from './users.ts';

/** The identity service's own API (docs/protocol.md#profile). There is no `/api/user` here. */
export function profileRoutes(context: Context): readonly Route[] {
	const show = ({ user, grant }: ApiCall): object => {
		const { canonical_name: canonicalName, name, ...rest } = showUser(user);
		const trusted = grant.clientId === null ? { user_type: 'active_non_paying', suspension_notice: null } : {};
		return { canonical_name: canonicalName, name, ...trusted, ...rest, use_pgp_key: null };
	};
	const nothing = (call: ApiCall): ReturnType<Route['handle']> =>
		list(context.dialect, call, { rows: [], id: () => 0, show: () => null });
	return [
		api('GET', '/api/user/profile', 'profile:read', (call) => json(200, show(call))),
		api('PUT', '/api/user/profile', 'profile:write', (call) => {
			const sent = validate(context.dialect, call.body);
			for (const field of ['url', 'location', 'bio'] as const) {
				const value = sent.text(field, { nullable: true });
				if (sent.has(field)) {
					call.user[field] = value === undefined || value === '' ? null : value;
				}
			}
			const email = sent.text('email');
			sent.expect(email === undefined || /^\S+@\S+$/.test(email), 'Invalid email address', 'email');
			sent.done();
			if (email !== undefined) {
				call.user.email = email;
			}
			return json(200, show(call));
		}),
		api('GET', '/api/user/ssh-keys', 'keys:read', nothing),
		api('GET', '/api/user/pgp-keys', 'keys:read', nothing),
		api('GET', '/api/user/audit-log', 'audit:read', nothing),
	];
}
