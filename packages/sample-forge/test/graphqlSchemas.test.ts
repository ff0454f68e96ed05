import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, isInterfaceType, isObjectType, Kind, type GraphQLSchema } from 'graphql';
import type { GraphqlAge } from '../src/shared/area.ts';
import { root } from '../../../test/harness/places.ts';
import { schemaText } from '../src/graphql/engine.ts';
import { schemaLines } from './support/schemaLines.ts';

const serviceNames = ['todo', 'lists', 'git', 'meta', 'hub'] as const;
type ServiceName = (typeof serviceNames)[number];

const ages: readonly GraphqlAge[] = ['2026', '2023'];

/** Lines of the sample forge that only services of 2023 have. */
const only2023: Readonly<Record<ServiceName, readonly string[]>> = {
	todo: ['type Mutation.createTracker(import: Upload)', 'type Tracker.ticket: Ticket!'],
	lists: ['type Email.envelope: URL!', 'type Query.message(messageID: String!)', 'type Query.message: Email'],
	git: [
		'interface Object.raw: String!',
		...['BinaryBlob', 'Commit', 'Tag', 'TextBlob', 'Tree'].map((type) => `type ${type}.raw: String!`),
		'type Artifact.url: String!',
	],
	meta: [],
	hub: [],
};

/** Lines, by their beginning, that services of 2023 lack. */
const only2026: Readonly<Record<ServiceName, readonly string[]>> = {
	todo: [
		'type Query.preferences',
		'type Query.tracker',
		'type Tracker.rid',
		'type Tracker.ticket: Ticket',
		'type Mutation.createTracker(importUpload',
		'type Mutation.updatePreferences',
		'input TrackerInput.name',
	],
	lists: [
		'type Email.rawMessage',
		'type MailingList.lastActivity',
		'type MailingList.message',
		'type MailingList.rid',
		'type Patch.trailers',
		'type Patchset.supersedes',
		'type Query.list',
		'type Query.preferences',
	],
	git: [
		'type Repository.object',
		'type Repository.reference',
		'type Repository.rid',
		'type Commit.trailers',
		'type Query.repository',
		'type Query.gitWebhook',
		'type Mutation.createGitWebhook',
		'type Reference.artifact',
		'interface Blob.content',
		'interface Blob.size',
		'type Artifact.url: URL!',
	],
	meta: ['type OAuthGrant.grants', 'type User.avatar', 'type User.pronouns'],
	hub: [],
};

/** Each file has the introspection of a service of May 2026, in the format of `schemaLines`. */
function told(service: ServiceName, age: GraphqlAge): ReadonlySet<string> {
	const lines = readFileSync(join(root, 'test/corpus/schemas', `${service}.txt`), 'utf8').split('\n');
	return new Set([...lines, ...(age === '2023' ? only2023[service] : [])]);
}

/** The grant that each field of a service requires, or its only callers, from the sources of services. */
function toldGrants(service: ServiceName): ReadonlyMap<string, string> {
	const lines = readFileSync(join(root, 'test/corpus/schemas/grants.txt'), 'utf8').split('\n');
	return new Map(
		lines.flatMap((line): readonly (readonly [string, string])[] => {
			const [of, field = '', grant = ''] = line.split(' ');
			return of === service ? [[field, grant]] : [];
		}),
	);
}

/** The same for each field of the sample forge. */
function askedGrants(schema: GraphQLSchema): ReadonlyMap<string, string> {
	return new Map(
		Object.values(schema.getTypeMap()).flatMap((type) =>
			isObjectType(type) || isInterfaceType(type)
				? Object.values(type.getFields()).map(({ name, astNode }) => {
						const words = (astNode?.directives ?? []).map((directive) => {
							const values = (directive.arguments ?? []).map(({ value }) =>
								value.kind === Kind.ENUM ? value.value : '',
							);
							return directive.name.value === 'access' ? values.join(':') : `@${directive.name.value}`;
						});
						return [`${type.name}.${name}`, words.join(' ')] as const;
					})
				: [],
		),
	);
}

suite('GraphQL schema of the sample forge', () => {
	for (const service of serviceNames) {
		for (const age of ages) {
			test(`fields of ${service} of ${age} require the grants of running services`, () => {
				const told = toldGrants(service);
				const grants = askedGrants(buildSchema(schemaText(service, age)));
				const both = [...told].filter(([field]) => grants.has(field));
				assert.ok(both.length > 5);
				assert.deepEqual(
					both.map(([field]) => `${field} ${grants.get(field)}`),
					both.map(([field, grant]) => `${field} ${grant}`),
				);
			});
		}
	}

	for (const service of serviceNames) {
		for (const age of ages) {
			test(`${service} of ${age} has only types, fields, arguments and enum values of running services`, () => {
				const known = told(service, age);
				const offered = schemaLines(buildSchema(schemaText(service, age)));
				assert.ok(offered.length > 0 && known.size > 100);
				assert.deepEqual(
					offered.filter((line) => !known.has(line)),
					[],
				);
			});
		}
	}

	for (const service of serviceNames.filter((each) => only2026[each].length > 0)) {
		test(`${service} of 2023 lacks newer fields`, () => {
			const offered = {
				'2026': schemaLines(buildSchema(schemaText(service, '2026'))),
				'2023': schemaLines(buildSchema(schemaText(service, '2023'))),
			};
			for (const later of only2026[service]) {
				const isIt = (line: string): boolean =>
					line === later || line.startsWith(`${later}:`) || line.startsWith(`${later}(`);
				assert.ok(offered['2026'].some(isIt), later);
				assert.deepEqual(offered['2023'].filter(isIt), []);
			}
		});
	}

	test('every service has the required arguments of running services', () => {
		for (const service of serviceNames) {
			const offered = new Set(schemaLines(buildSchema(schemaText(service, '2026'))));
			const isMissing = (line: string): boolean => {
				const [, of, type = '', field = '', rest = ''] = /^(type|input) (\w+)\.(\w+)(.*)$/.exec(line) ?? [];
				const isNeeded = /![)]?$/.test(rest);
				const around = of === 'type' ? `type ${type}.${field}: ` : `input ${type}.`;
				const isArgument = of === 'type' ? rest.startsWith('(') : of === 'input';
				return isArgument && isNeeded && !offered.has(line) && [...offered].some((each) => each.startsWith(around));
			};
			assert.deepEqual([...told(service, '2026')].filter(isMissing), []);
		}
	});
});
