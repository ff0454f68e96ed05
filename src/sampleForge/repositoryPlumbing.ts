import type { Answer, ApiCall, Method, Route } from './area.ts';
import { bothForms, param } from './area.ts';
import { json, noContent, notAllowed, plainText } from './answers.ts';
import type { RepositoryRoom } from './repositories.ts';
import { findRepository } from './repositoryAccess.ts';
import type { Repository } from './repositoryStore.ts';

type Handler = (repository: Repository, call: ApiCall) => Answer | Promise<Answer>;

/** Routes that no contract names (observed 4.1 and 4.7): objects, revisions and references as text, and the own readme. */
export function plumbingRoutes({ context, store }: RepositoryRoom): readonly Route[] {
	const forms = (method: Method, rest: string, handle: Handler): readonly Route[] => {
		const scope = method === 'GET' ? 'data:read' : 'info:write';
		return bothForms(method, [`/api/~:username/repos/:name/${rest}`, `/api/repos/:name/${rest}`], scope, (call) =>
			handle(findRepository(context, store, call), call),
		);
	};
	const own =
		(change: (repository: Repository, call: ApiCall) => Answer): Handler =>
		(repository, call) => {
			if (repository.owner !== call.user) {
				throw notAllowed(context.dialect);
			}
			return change(repository, call);
		};
	return [
		...forms('GET', 'odb/:id', getObject),
		...forms('GET', 'lookup/:rest*', lookUp),
		...forms('GET', 'refdb/:rest*', getRef),
		...forms('GET', 'readme', ({ readme }) =>
			readme === null
				? json(404, {})
				: { status: 200, headers: { 'Content-Type': 'text/html; charset=utf-8' }, body: readme },
		),
		...forms(
			'PUT',
			'readme',
			own((repository, call) => {
				repository.readme = new TextDecoder().decode(call.body.bytes);
				return noContent();
			}),
		),
		...forms(
			'DELETE',
			'readme',
			own((repository) => {
				repository.readme = null;
				return noContent();
			}),
		),
	];
}

const nothingThere = plainText(404, 'not found');

const getObject: Handler = async ({ source }, call) => {
	const id = param(call, 'id');
	const found = /^[0-9a-f]{4,40}$/.test(id) ? await source.resolve(id) : undefined;
	if (found?.kind !== 'object' || !found.id.startsWith(id)) {
		return nothingThere;
	}
	const { bytes } = await source.read(found.id);
	const headers = { 'Content-Type': 'application/octet-stream', 'X-Git-Object-Type': found.type };
	return { status: 200, headers, body: bytes };
};

const lookUp: Handler = async ({ source }, call) => {
	const found = await source.resolve(param(call, 'rest'));
	switch (found.kind) {
		case 'object': {
			return plainText(200, found.id);
		}
		case 'ambiguous': {
			return plainText(409, 'ambiguous');
		}
		case 'missing': {
			return nothingThere;
		}
	}
};

const getRef: Handler = async ({ source }, call) => {
	const name = param(call, 'rest');
	if (name === 'HEAD') {
		return plainText(200, await source.head());
	}
	const ref = (await source.refs()).find((each) => each.name === name);
	return ref === undefined ? nothingThere : plainText(200, ref.target);
};
