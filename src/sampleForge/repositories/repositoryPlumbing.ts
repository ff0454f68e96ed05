import type { Answer, ApiCall, Method, Route } from '../shared/area.ts';
import { bothForms, param } from '../shared/area.ts';
import { json, noContent, notAllowed, plainText, wordsAsPage } from '../shared/answers.ts';
import type { Dialect } from '../shared/dialect.ts';
import type { RepositoryRoom } from './repositoryRoom.ts';
import { findRepository } from './repositoryAccess.ts';
import type { Repository } from './repositoryStore.ts';

type Handler = (repository: Repository, call: ApiCall) => Answer | Promise<Answer>;

/**
 * Routes that the contract does not list (docs/protocol.md#bare-lines): objects, revisions and references as text, and
 * the own readme.
 */
export function plumbingRoutes({ context, store }: RepositoryRoom): readonly Route[] {
	const forms = (method: Method, rest: string, handle: Handler): readonly Route[] => {
		const scope = method === 'GET' ? 'data:read' : 'info:write';
		const run = (call: ApiCall): Answer | Promise<Answer> => handle(findRepository(context, store, call), call);
		return bothForms(method, `/repos/:name/${rest}`, scope, run, '/~:username');
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
		...forms('GET', 'lookup/:rest*', lookUp(context.dialect)),
		...forms('GET', 'refdb/:rest*', getRef(context.dialect)),
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

/** A bare line, with the type that the servers observed give it. */
function bareLine({ plumbingIsHtml }: Dialect, status: number, text: string): Answer {
	return plumbingIsHtml ? wordsAsPage(status, text) : plainText(status, text);
}

const lookUp =
	(dialect: Dialect): Handler =>
	async ({ source }, call) => {
		const revision = param(call, 'rest');
		// The observed route accepts a single segment, with slashes encoded or not.
		if (dialect.lookupOfOneSegment && revision.includes('/')) {
			return bareLine(dialect, 404, 'not found');
		}
		const found = await source.resolve(revision);
		switch (found.kind) {
			case 'object': {
				return bareLine(dialect, 200, found.id);
			}
			case 'ambiguous': {
				return bareLine(dialect, 409, 'ambiguous');
			}
			case 'missing': {
				return bareLine(dialect, 404, 'not found');
			}
		}
	};

const getRef =
	(dialect: Dialect): Handler =>
	async ({ source }, call) => {
		const name = param(call, 'rest');
		if (name === 'HEAD') {
			return bareLine(dialect, 200, await source.head());
		}
		if (dialect.plumbingIsHtml && !name.startsWith('refs/')) {
			return bareLine(dialect, 400, 'invalid reference');
		}
		const ref = (await source.refs()).find((each) => each.name === name);
		return ref === undefined ? bareLine(dialect, 404, 'not found') : bareLine(dialect, 200, ref.target);
	};
