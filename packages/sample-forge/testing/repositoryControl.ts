import type { OpenRoute } from '../src/shared/area.ts';
import { open } from '../src/shared/area.ts';
import { invalid, json } from '../src/shared/answers.ts';
import type { RepositoryRoom } from '../src/repositories/repositoryRoom.ts';

/**
 * Actions on the web of a real forge. `POST /git/access` with `repository` (`~bob/sketches`), `user` (`alice`) and
 * `mode` (`ro`, `rw` or `none`) shares a repository.
 */
export function repositoryControl({ context, store }: RepositoryRoom): readonly OpenRoute[] {
	return [
		open('POST', '/git/access', ({ body: { fields } }) => {
			const [owner = '', name = ''] = String(fields['repository']).replace('~', '').split('/');
			const holder = context.users.byName(owner);
			const repository = holder === undefined ? undefined : store.find(holder, name);
			const user = context.users.byName(String(fields['user']));
			const { mode } = fields;
			if (repository === undefined || user === undefined) {
				throw invalid('repository or user names nothing');
			}
			if (mode === 'ro' || mode === 'rw') {
				repository.access.set(user.name, mode);
			} else {
				repository.access.delete(user.name);
			}
			return json(200, {});
		}),
	];
}
