import { blob, listOf, nothing, one, oneOrNothing } from './answers.ts';
import { isImplied, rowsOf } from './endpoint.ts';
import { commit, tree as treeSchema } from './wire/commit.ts';
import { reference, repository } from './wire/repository.ts';

const row = rowsOf('git');
const tree = one(treeSchema, 'list');
const log = listOf(commit);

/** Repository area (docs/protocol.md#endpoints). */
// oxfmt-ignore
export const repositoryEndpoints = {
	repositories: row('GET /api/:username/repos', '/api/repos', 'info:read', listOf(repository)),
	create: row('POST /api/repos', isImplied, 'info:write', one(repository)),
	repository: row('GET /api/:username/repos/:name', '/api/repos/:name', 'info:read', one(repository)),
	update: row('PUT /api/repos/:name', isImplied, 'info:write', oneOrNothing(repository)),
	remove: row('DELETE /api/repos/:name', isImplied, 'info:write', nothing),
	references: row('GET /api/:username/repos/:name/refs', '/api/repos/:name/refs', 'data:read', listOf(reference)),
	log: row('GET /api/:username/repos/:name/log', '/api/repos/:name/log', 'data:read', log),
	logFrom: row('GET /api/:username/repos/:name/log/:ref*', '/api/repos/:name/log/:ref*', 'data:read', log),
	rootTree: row('GET /api/:username/repos/:name/tree', '/api/repos/:name/tree', 'data:read', tree),
	refTree: row('GET /api/:username/repos/:name/tree/:ref*', '/api/repos/:name/tree/:ref*', 'data:read', tree),
	pathTree: row('GET /api/:username/repos/:name/tree/:ref*/:path*', '/api/repos/:name/tree/:ref*/:path*', 'data:read', tree),
	pathBlob: row('GET /api/:username/repos/:name/blob/:ref*/:path*', '/api/repos/:name/blob/:ref*/:path*', 'data:read', blob),
	treeById: row('GET /api/:username/repos/:name/tree/:id', '/api/repos/:name/tree/:id', 'data:read', tree),
	blobById: row('GET /api/:username/repos/:name/blob/:id', '/api/repos/:name/blob/:id', 'data:read', blob),
} as const;
