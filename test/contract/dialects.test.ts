import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chosenDialects } from '../support/dialects.ts';
import { fieldsOf, partOf } from '../support/sampleForge.ts';
import type { Area, Dialect, RawAnswer, SampleForge } from '../support/sampleForge.ts';
import { sharedForge } from '../support/sharedForge.ts';

interface Row {
	readonly id: string;
	readonly steps: readonly string[];
	readonly field: readonly string[];
	readonly document: readonly string[];
}

const path = join(import.meta.dirname, '..', '..', 'docs', 'dialects.md');

/** Code spans in a table cell. */
const spans = (cell: string): readonly string[] => Array.from(cell.matchAll(/`([^`]+)`/g), ([, code = '']) => code);

function readRows(markdown: string): readonly Row[] {
	return markdown
		.split('\n')
		.filter((line) => line.startsWith('| ') && !line.startsWith('| id '))
		.map((line) => {
			const [, id = '', request = '', field = '', document = ''] = line.split('|').map((cell) => cell.trim());
			return { id, steps: spans(request), field: spans(field), document: spans(document) };
		});
}

/** Where a step's response keeps the ids that later steps use as `$id`, `$hook` and `$next`. */
interface Memory {
	readonly names: Map<string, string>;
}

const aliases: Readonly<Record<string, string>> = {
	trackers: 'todo.sr.ht',
	tickets: 'todo.sr.ht',
	info: 'git.sr.ht',
	data: 'git.sr.ht',
	lists: 'lists.sr.ht',
	patches: 'lists.sr.ht',
	subs: 'lists.sr.ht',
};

/** A scope of the contract, spelled for the dialect. */
function spell(dialect: Dialect, scope: string): string {
	const service = aliases[scope.slice(0, scope.indexOf(':'))];
	return dialect === 'document' || service === undefined ? scope : `${service}/${scope}`;
}

async function play(forge: SampleForge, step: string, { names }: Memory): Promise<RawAnswer> {
	const said = step
		.replaceAll('$lists/', forge.dialect === 'field' ? 'lists.sr.ht/' : '')
		.replaceAll('$long', 'x'.repeat(3000))
		.replaceAll(/\$(id|hook|next)/g, (_all, name: string) => names.get(name) ?? '');
	const answer = await request(forge, said);
	const { id, next } = fieldsOf(answer.json);
	if (typeof id === 'number') {
		names.set(/\/webhooks( |$)/.test(said) ? 'hook' : 'id', String(id));
	}
	if (typeof next === 'string') {
		names.set('next', next);
	}
	return answer;
}

async function request(forge: SampleForge, said: string): Promise<RawAnswer> {
	const control = /^control (\S+) (.*)$/.exec(said);
	if (control !== null) {
		const [, where = '', body = ''] = control;
		const response = await fetch(`${forge.control}${where}`, {
			method: 'POST',
			headers: { 'Content-Type': 'application/json' },
			body,
		});
		const text = await response.text();
		const json: unknown = JSON.parse(text);
		return { status: response.status, headers: response.headers, text, json, at: (...parts) => partOf(json, parts) };
	}
	const call =
		/^(?:(as|bearing|with-token|typed) (.+?) |(anonymously) )?(GET|PUT|POST|DELETE) (\w+) (\S+)(?: (.*))?$/.exec(said);
	assert.ok(call !== null, `A step that cannot be read: ${said}`);
	const [, how, what = '', anonymous, method = '', area = '', where = '', body] = call;
	const token = anonymous === undefined ? await tokenOf(forge, how, what) : null;
	return await forge.call(readArea(area), method, where, {
		token,
		...(body === undefined ? {} : { body }),
		...(how === 'typed' ? { headers: { 'Content-Type': what } } : {}),
	});
}

async function tokenOf(forge: SampleForge, how: string | undefined, what: string): Promise<string> {
	if (how === 'bearing') {
		return await forge.token(
			'alice',
			what.split(',').map((scope) => spell(forge.dialect, scope)),
		);
	}
	if (how === 'as') {
		return String(fieldsOf(forge.tokens)[what]);
	}
	return how === 'with-token' ? what : forge.tokens.alice;
}

function readArea(text: string): Area {
	assert.ok(text === 'meta' || text === 'todo' || text === 'git' || text === 'lists', text);
	return text;
}

function check(answer: RawAnswer, condition: string): void {
	const because = `${condition}: ${answer.status} ${answer.text.slice(0, 300)}`;
	if (/^\d{3}$/.test(condition)) {
		assert.equal(answer.status, Number(condition), because);
		return;
	}
	if (condition === 'html' || condition === 'json') {
		const types = { html: 'text/html; charset=utf-8', json: 'application/json' };
		assert.equal(answer.headers.get('content-type'), types[condition], because);
		return;
	}
	const header = /^header (\S+) = (.*)$/.exec(condition);
	if (header !== null) {
		assert.equal(answer.headers.get(header[1] ?? ''), header[2], because);
		return;
	}
	const parsed = /^(\S+) (=|is|missing|has|length|ends)(?: (.*))?$/.exec(condition);
	assert.ok(parsed !== null, `A condition that cannot be read: ${condition}`);
	const [, where = '', verb = '', wanted = ''] = parsed;
	const value = where === '.' ? answer.json : answer.at(...where.split('.'));
	verbs[verb]?.(value, wanted, because);
}

const verbs: Readonly<Record<string, (value: unknown, wanted: string, because: string) => void>> = {
	'=': (value, wanted, because) => {
		const parsed: unknown = JSON.parse(wanted);
		assert.deepEqual(value, parsed, because);
	},
	is: (value, wanted, because) => {
		const kind = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
		assert.equal(kind, wanted, because);
	},
	missing: (value, _wanted, because) => assert.equal(value, undefined, because),
	has: (value, wanted, because) => {
		const items = Array.isArray(value) ? value.map((item) => JSON.stringify(item)) : Object.keys(fieldsOf(value));
		assert.deepEqual(items.toSorted(), wanted.split(', ').toSorted(), because);
	},
	ends: (value, wanted, because) => assert.ok(String(value).endsWith(String(JSON.parse(wanted))), because),
	length: (value, wanted, because) => assert.equal(partOf(value, ['length']), Number(wanted), because),
};

const rows = readRows(readFileSync(path, 'utf8'));

suite('docs/dialects.md', () => {
	test('has rows with unique ids and differing cells', () => {
		assert.ok(rows.length > 40, String(rows.length));
		assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length);
		for (const { id, steps, field, document } of rows) {
			assert.ok(steps.length > 0 && field.length > 0 && document.length > 0, id);
			assert.notDeepEqual(field, document, id);
		}
	});
});

for (const dialect of chosenDialects()) {
	suite(`docs/dialects.md against the running ${dialect} dialect`, () => {
		let forge: SampleForge;

		suiteSetup(async () => {
			forge = await sharedForge(dialect);
		});

		for (const row of rows) {
			test(row.id, async () => {
				const memory: Memory = { names: new Map() };
				let answer: RawAnswer | undefined;
				for (const step of row.steps) {
					answer = await play(forge, step, memory);
				}
				assert.ok(answer !== undefined);
				const said = answer;
				for (const condition of row[dialect]) {
					check(said, condition);
				}
				const others = row[dialect === 'field' ? 'document' : 'field'];
				assert.throws(() => others.forEach((condition) => check(said, condition)), 'the row tells nothing apart');
			});
		}

		test('no row triggers a crash of the sample forge', async () => {
			assert.deepEqual(await forge.crashes(), []);
		});
	});
}
