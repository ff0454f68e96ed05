import type { ApiCall, Answer, Method, Route, Scope } from '../shared/area.ts';
import { bothForms } from '../shared/area.ts';
import { json, list } from '../shared/answers.ts';
import { validate } from '../shared/body.ts';
import { expectOwner } from './listAccess.ts';
import { isPatchsetStatus } from './mailModel.ts';
import type { MailRoom } from './mailRoom.ts';

type Handler = (room: MailRoom, call: ApiCall) => Answer;

const toolIcons = ['pending', 'waiting', 'success', 'failed', 'cancelled'];

/** Patchsets of a list (docs/protocol.md#patchset-fields), implied forms too. */
export function patchsetRoutes(room: MailRoom): readonly Route[] {
	const forms = (method: Method, rest: string, scope: Scope, handle: Handler): readonly Route[] => {
		return bothForms(method, `/lists/:list/patchsets${rest}`, scope, (call) => handle(room, call));
	};
	const writing = room.context.dialect.patchsetWriteScope ? 'patches:write' : 'patches:read';
	return [
		...forms('GET', '', 'patches:read', showPatchsets),
		...forms('GET', '/:patchset', 'patches:read', ({ access, shapes }, call) =>
			json(200, shapes.patchset(access.patchset(call))),
		),
		...forms('PUT', '/:patchset', writing, setStatus),
		...forms('GET', '/:patchset/patches', 'patches:read', showPatches),
		...forms('PUT', '/:patchset/tools', writing, setTool),
	];
}

const showPatchsets: Handler = ({ context, access, shapes }, call) => {
	const rows = access.list(call).patchsets.toReversed();
	return list(context.dialect, call, { rows, id: (row) => row.id, show: shapes.patchset });
};

/** Only the patches, in order of the series; `start` counts mail numbers (docs/protocol.md#patchset-fields). */
const showPatches: Handler = ({ context, store, access, shapes, pages }, call) => {
	const { id, patches: rows } = access.patchset(call);
	const start = call.query.get('start') ?? '';
	return pages.keep(store.revision(), `patches ${id} ${start}`, () =>
		list(context.dialect, call, { rows, id: (row) => row.id, show: shapes.email }),
	);
};

const setStatus: Handler = ({ context, store, access, shapes }, call) => {
	const { dialect } = context;
	const patchset = access.patchset(call);
	expectOwner(context, call, patchset.list);
	const sent = validate(dialect, call.body);
	const status = sent.raw('status');
	if (status === null) {
		sent.expect(false, 'status may not be null', 'status');
	} else if (typeof status !== 'string') {
		sent.expect(status === undefined && !dialect.patchsetStatusRequired, 'status should be an str', 'status');
	} else {
		sent.expect(isPatchsetStatus(status), 'status should be a valid PatchsetStatus', 'status');
	}
	sent.done();
	if (isPatchsetStatus(status)) {
		store.setStatus(patchset, status, context.nowMs());
	}
	return json(200, shapes.patchset(patchset));
};

/** Build result of a patchset. No route returns it. */
const setTool: Handler = ({ context, access }, call) => {
	const patchset = access.patchset(call);
	expectOwner(context, call, patchset.list);
	const sent = validate(context.dialect, call.body);
	const icon = sent.text('icon', { required: true });
	sent.text('details', { required: true });
	sent.text('key', { required: true });
	sent.expect(icon === undefined || toolIcons.includes(icon), 'icon should be a valid ToolIcon', 'icon');
	sent.done();
	return json(200, {});
};
