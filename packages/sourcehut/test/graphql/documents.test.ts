import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	buildSchema,
	isEnumType,
	isInterfaceType,
	isObjectType,
	parse,
	print,
	TypeInfo,
	validate,
	visit,
	visitWithTypeInfo,
	type GraphQLSchema,
} from 'graphql';
import type { ContentArea } from '../../src/port/instance.ts';
import type { WebhookEventGroup, WebhookFamily } from '../../src/port/webhook.ts';
import { openingFields, type Document, type TypeField } from '../../src/graphql/transport/document.ts';
import * as git from '../../src/graphql/git/gitDocuments.ts';
import * as users from '../../src/graphql/userDocuments.ts';
import * as todo from '../../src/graphql/todo/todoDocuments.ts';
import { changeParts, labelNumbers, mostParts, type PartMutation } from '../../src/graphql/todo/trackerIds.ts';
import * as lists from '../../src/graphql/lists/listDocuments.ts';
import { mostPages, readChangedPages } from '../../src/graphql/todo/changedPages.ts';
import { listActivity, mostLists } from '../../src/graphql/lists/graphqlActivity.ts';
import * as oldMails from '../../src/graphql/lists/oldMailDocuments.ts';
import { readDelivery } from '../../src/graphql/webhooks/hookHints.ts';
import { eventsOfGroup, hookQuery, hookDocuments } from '../../src/graphql/webhooks/graphqlWebhooks.ts';
import * as projects from '../../src/graphql/hub/hubDocuments.ts';
import { namedTracker, readFields } from '../support/readFields.ts';
import { root } from '../../../../test/harness/places.ts';
import { schemaText } from 'sample-forge/graphql/engine.ts';
import type { ServiceName } from 'sample-forge/shared/area.ts';

const { subscriptions, ...ticketsAndTrackers } = todo;

interface Service {
	readonly area: ContentArea;
	readonly service: ServiceName;
	/** `only`: for services of this version. */
	readonly modules: readonly {
		readonly documents: Readonly<
			Record<
				string,
				{ readonly document: Document; readonly within?: Document; readonly read: (data: unknown) => unknown }
			>
		>;
		readonly only?: (typeof ages)[number];
	}[];
}

const ages = ['2026', '2023'] as const;

function hooksOf(...groups: readonly WebhookEventGroup[]): Service['modules'] {
	return groups.map((group) => ({ documents: { ...hookDocuments[group] } }));
}

/** The maximum number of labels and assignees in one request. */
function mostPartsOfEachKind(): readonly PartMutation[] {
	const kinds: readonly PartMutation[] = [
		{ mutation: 'labelTicket', labelId: 1 },
		{ mutation: 'unlabelTicket', labelId: 2 },
		{ mutation: 'assignUser', userId: 3 },
		{ mutation: 'unassignUser', userId: 4 },
	];
	return Array.from({ length: mostParts }, (_, at) => kinds.slice(at % kinds.length)).flatMap(([part]) => part ?? []);
}

const services: readonly Service[] = [
	{
		area: 'todo',
		service: 'todo',
		modules: [
			{ documents: users },
			{ documents: ticketsAndTrackers },
			{ documents: { changeParts: changeParts(mostPartsOfEachKind()).operation } },
			{ documents: { labelNumbers: labelNumbers(Array.from({ length: mostParts }, () => 'bug')).operation } },
			{ documents: { changedPages: readChangedPages(mostPages) } },
			{ documents: subscriptions },
			...hooksOf('todoUser', 'tracker', 'ticket'),
		],
	},
	{
		area: 'lists',
		service: 'lists',
		modules: [
			{ documents: users },
			{ documents: lists },
			{ documents: { listActivity: listActivity(mostLists) } },
			{ documents: oldMails, only: '2023' },
			...hooksOf('listsUser', 'list'),
		],
	},
	{
		area: 'git',
		service: 'git',
		modules: [
			{ documents: users },
			{ documents: git },
			...hooksOf('gitUser'),
			// Repository webhooks exist only in later versions.
			...hooksOf('repository').map((module) => ({ ...module, only: '2026' as const })),
		],
	},
	// The project query, modelled as a repository query. There was no such API in 2023 (docs/protocol.md#finding-the-protocol).
	{ area: 'git', service: 'hub', modules: [{ documents: projects, only: '2026' }] },
];
const hookGroups: Readonly<Record<ContentArea, readonly WebhookEventGroup[]>> = {
	todo: ['todoUser', 'tracker', 'ticket'],
	lists: ['listsUser', 'list'],
	git: ['gitUser', 'repository'],
};
/** Servers limit the complexity to 250 or 200. */
const mostPoints = 200;

/** Every document with each schema that it must match. */
const asked = services.flatMap(({ area, service, modules }) => {
	const schemas = new Map(ages.map((age) => [age, buildSchema(schemaText(service, age))]));
	return modules.flatMap(({ documents, only }) =>
		Object.values(documents).map(({ document, read }) => ({
			area,
			document,
			read,
			schemas: new Map([...schemas].filter(([age]) => only === undefined || age === only)),
		})),
	);
});

/** Name and type of each field of a document according to the schema. */
function fieldsOf(schema: GraphQLSchema, text: string): readonly TypeField[] {
	const types = new TypeInfo(schema);
	const fields: TypeField[] = [];
	visit(
		parse(text),
		visitWithTypeInfo(types, {
			Field({ name }) {
				fields.push({ type: types.getParentType()?.name ?? '', field: name.value });
			},
		}),
	);
	return fields;
}

/** Path of each field in a response, with its arguments. */
function placesOf(text: string): readonly string[] {
	const around: string[] = [];
	const places: string[] = [];
	visit(parse(text), {
		Field: {
			enter(field) {
				around.push(print({ ...field, selectionSet: undefined }));
				places.push(around.join(' '));
			},
			leave: () => void around.pop(),
		},
	});
	return places;
}

/** Fields of `Repository` that need the permission for git objects, because they open the repository. */
function openingFieldsOf(schema: GraphQLSchema): ReadonlySet<string> {
	const type = schema.getType('Repository');
	const fields = isObjectType(type) ? Object.values(type.getFields()) : [];
	return new Set(
		fields
			.filter(({ astNode }) => astNode?.directives?.some((each) => print(each).includes('OBJECTS')))
			.map(({ name }) => name),
	);
}

/** Fields of a document that open a repository. */
function opensIn(schema: GraphQLSchema, text: string): readonly string[] {
	const opening = openingFieldsOf(schema);
	return fieldsOf(schema, text).flatMap(({ type, field }) =>
		type === 'Repository' && opening.has(field) ? [field] : [],
	);
}

/** Rows of docs/points.md: cost and opening field of each document. Servers count one point per field. */
function pointsTable(): readonly string[] {
	const costs = asked.map(({ area, document, schemas }): readonly string[] => {
		const points = ages.map((age) => {
			const schema = schemas.get(age);
			return schema === undefined ? '' : String(fieldsOf(schema, document.withoutFields(lackedIn(schema))).length);
		});
		const opens = new Set([...schemas.values()].flatMap((schema) => opensIn(schema, document.text)));
		return [area, document.name, ...points, [...opens].map((field) => `\`${field}\``).join(', ')];
	});
	return [...new Set(costs.map((cells) => `| ${cells.join(' | ')} |`))].toSorted();
}

/** Tests whether a service version lacks a field. */
function lackedIn(schema: GraphQLSchema): (wanted: TypeField) => boolean {
	return (wanted) => {
		const type = schema.getType(wanted.type);
		const isKnown = isObjectType(type) || isInterfaceType(type);
		return wanted.field !== '__typename' && isKnown && !(wanted.field in type.getFields());
	};
}

/** Fields in a document whose value has no effect. */
const keptUnread: Readonly<Record<string, readonly string[]>> = {
	// Services of 2023 have no `reference`, and a selection cannot be empty.
	ReferenceByName: ['user repository id'],
	// The only field of a sender type that the schema lacks.
	Patchset: ['patchset submitter canonicalName'],
	Patchsets: ['user list patches results submitter canonicalName'],
};

suite('GraphQL documents', () => {
	test('cost as many points as docs/points.md says, within the server limit', () => {
		const page = readFileSync(join(root, 'docs/points.md'), 'utf8');
		const told = page.split('\n').filter((line) => /^\| (?:todo|lists|git) \|/.test(line));
		assert.deepEqual(told, pointsTable(), `its rows have to be:\n${pointsTable().join('\n')}`);
		const most = Math.max(...told.flatMap((row) => row.match(/\d+(?= \|)/g) ?? []).map(Number));
		assert.equal(Number(/The most is (\d+)\./.exec(page)?.[1]), most);
		assert.ok(most <= mostPoints);
	});

	test('open a git repository only with the known opening fields', () => {
		assert.deepEqual(openingFieldsOf(buildSchema(schemaText('git', '2026'))), openingFields);
	});

	test('are all covered by this test', () => {
		const folder = join(root, 'packages/sourcehut/src/graphql');
		const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
		const written = sources.flatMap((name) =>
			Array.from(
				readFileSync(join(folder, name), 'utf8').matchAll(/\b(?:query|mutation)\([^;`]*?,\s*['`](\w+)['`(]/g),
				([, document = '']) => `${document.charAt(0).toUpperCase()}${document.slice(1)}`,
			),
		);
		const known = new Set(asked.map(({ document }) => document.name));
		assert.ok(written.length > 60, `${written.length} were found`);
		assert.deepEqual(
			written.filter((name) => !known.has(name)),
			[],
		);
	});

	test('contained in another one request no field that the other lacks', () => {
		const parts = services.flatMap(({ modules }) =>
			modules.flatMap(({ documents }) =>
				Object.values(documents).flatMap(({ document, within }) => (within ? [{ document, within }] : [])),
			),
		);
		assert.ok(parts.length > 0);
		for (const { document, within } of parts) {
			const there = new Set(placesOf(within.text));
			assert.deepEqual(
				placesOf(document.text).filter((place) => !there.has(place)),
				[],
				document.name,
			);
		}
	});

	for (const { area, document, read, schemas } of asked) {
		test(`${document.name} of ${area} requests no unused field`, () => {
			const isRead = new Map<string, boolean>();
			for (const schema of schemas.values()) {
				for (const [place, matters] of readFields(schema, document.withoutFields(lackedIn(schema)), read)) {
					isRead.set(place, matters || isRead.get(place) === true);
				}
			}
			const unread = Array.from(isRead).flatMap(([place, matters]) => (matters ? [] : [place]));
			assert.deepEqual(unread, keptUnread[document.name] ?? []);
		});

		test(`${document.name} of ${area} is valid and cheap in each schema version and changes one thing`, () => {
			for (const [age, schema] of schemas) {
				const lacked = lackedIn(schema);
				const text = document.withoutFields(lacked);
				const errors = validate(schema, parse(text)).map(({ message }) => message);
				assert.deepEqual(errors, [], age);
				assert.ok(fieldsOf(schema, text).length <= mostPoints);
				const bare = document.without?.withoutFields(lacked);
				assert.deepEqual(bare === undefined ? [] : validate(schema, parse(bare)), [], `${age}: ${bare}`);
			}
			// Two opening fields in one document crash the service (docs/protocol.md#one-opening-field).
			const newest = schemas.get('2026');
			const opens = newest ? opensIn(newest, document.text) : [];
			assert.ok(opens.length <= 1, `${opens.join(', ')} open one repository`);
			assert.deepEqual(document.opens, opens);
			assert.notEqual(document.without?.text, document.text);
			const [root] = parse(document.text).definitions;
			assert.ok(root?.kind === 'OperationDefinition');
			assert.equal(root.selectionSet.selections.length, document.name === 'ChangeParts' ? mostParts : 1);
			assert.equal(document.isMutation, root.operation === 'mutation');
			if (document.isMutation) {
				// Another field may fail after the change was made (docs/protocol.md#results-of-mutations).
				assert.match(document.text, /^mutation \w+\([^{]*\)\{(?:\w+(?::\w+)?\([^{]*\)\{id\} ?)+\}$/);
			}
		});

		test(`${document.name} of ${area} names the type of each of its fields`, () => {
			const [schema] = schemas.values();
			assert.ok(schema);
			const told: TypeField[] = [];
			document.withoutFields((field) => {
				told.push(field);
				return false;
			});
			assert.deepEqual(told, fieldsOf(schema, document.text));
		});
	}
});

/** Fields with wrong or partial results, or whose failure fails everything around them. */
const neverAsked: ReadonlySet<string> = new Set([
	// docs/protocol.md#graphql-repositories
	'Commit.diff',
	// docs/protocol.md#graphql-mails
	'Thread.mailto',
	// docs/protocol.md#graphql-pages-of-mails
	'User.emails',
	'Thread.descendants',
]);

suite('fields with wrong results', () => {
	test('exist in the schema but in no document or webhook query', () => {
		const fields = ({ service }: Service): readonly string[] =>
			Object.values(buildSchema(schemaText(service, '2026')).getTypeMap()).flatMap((type) =>
				isObjectType(type) ? Object.keys(type.getFields()).map((field) => `${type.name}.${field}`) : [],
			);
		const there = new Set(services.flatMap(fields));
		const found = asked.flatMap(({ document, schemas }) =>
			[...schemas.values()].flatMap((schema) => fieldsOf(schema, document.withoutFields(lackedIn(schema)))),
		);
		const hooks = services
			.filter((each) => each.service !== 'hub')
			.flatMap(({ area, service }) =>
				hookGroups[area].flatMap((group) =>
					fieldsOf(buildSchema(schemaText(service, '2026')), hookQuery(group, eventsOfGroup(group).all)),
				),
			);
		assert.ok(hooks.length > 60);
		const wanted = new Set([...found, ...hooks].map(({ type, field }) => `${type}.${field}`));
		for (const field of neverAsked) {
			assert.deepEqual([there.has(field), wanted.has(field)], [true, false], field);
		}
	});
});

/** The owner of a webhook of each group. */
const families: Readonly<Record<WebhookEventGroup, WebhookFamily>> = {
	todoUser: { kind: 'user', area: 'todo' },
	listsUser: { kind: 'user', area: 'lists' },
	gitUser: { kind: 'user', area: 'git' },
	tracker: { kind: 'tracker', ref: namedTracker },
	ticket: { kind: 'ticket', ref: { tracker: namedTracker, id: 1 } },
	list: { kind: 'list', ref: { owner: '~o', name: 'l' } },
	repository: { kind: 'repository', ref: { owner: '~o', name: 'r' } },
};

suite('webhook queries', () => {
	for (const { area, service } of services.filter((each) => each.service !== 'hub')) {
		for (const group of hookGroups[area]) {
			test(`of ${group} are valid and cheap, for all events and for each`, () => {
				const { all } = eventsOfGroup(group);
				const isLater = group === 'repository';
				for (const age of ages.filter((each) => each === '2026' || !isLater)) {
					const built = buildSchema(schemaText(service, age));
					const words = built.getType('WebhookEvent');
					assert.ok(isEnumType(words));
					for (const events of [all, ...all.map((event) => [event])]) {
						assert.ok(events.every((event) => words.getValue(event) !== undefined));
						const text = hookQuery(group, events);
						assert.deepEqual(
							validate(built, parse(text)).map(({ message }) => message),
							[],
							`${age}: ${text}`,
						);
						assert.ok(fieldsOf(built, text).length <= mostPoints);
					}
				}
			});

			test(`of ${group} request no unused field`, () => {
				const built = buildSchema(schemaText(service, '2026'));
				for (const event of eventsOfGroup(group).all) {
					const read = (data: unknown): unknown =>
						readDelivery(families[group], event, new TextEncoder().encode(JSON.stringify({ data })));
					const isRead = readFields(built, hookQuery(group, [event]), read);
					const unread = Array.from(isRead).flatMap(([place, matters]) => (matters ? [] : [place]));
					// A selection cannot be empty.
					assert.deepEqual(
						unread.filter((place) => place !== 'webhook uuid'),
						[],
						event,
					);
				}
			});
		}
	}
});
