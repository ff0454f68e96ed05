import assert from 'node:assert/strict';
import {
	buildSchema,
	getNamedType,
	getNullableType,
	isEnumType,
	isInputObjectType,
	isListType,
	isNonNullType,
	parse,
	typeFromAST,
	isInputType,
	type GraphQLInputType,
	type GraphQLSchema,
} from 'graphql';
import type { ContentArea } from 'sourcehut/port/instance.ts';
import { areaOfScope, type Scope } from 'sourcehut/port/scope.ts';
import type { GraphqlError } from 'sourcehut/graphql/transport/answer.ts';
import type { Document } from 'sourcehut/graphql/transport/document.ts';
import { grantsOf, missingGrants, neededFor, serviceNames } from 'sourcehut/graphql/transport/grants.ts';
import { problemOfErrors } from 'sourcehut/graphql/transport/problems.ts';
import * as git from 'sourcehut/graphql/git/gitDocuments.ts';
import * as lists from 'sourcehut/graphql/lists/listDocuments.ts';
import * as todo from 'sourcehut/graphql/todo/todoDocuments.ts';
import { askGraphql } from '../support/askGraphql.ts';
import { schemaText } from 'sample-forge/graphql/engine.ts';
import { fieldsOf, type SampleForge } from '../support/sampleForge.ts';
import { sharedForge } from '../support/sharedForge.ts';

interface Asked {
	readonly area: ContentArea;
	readonly scope: Scope;
	readonly document: Document;
}

const { subscriptions, ...trackersAndTickets } = todo;
const modules = [trackersAndTickets, subscriptions, lists, git];
const asked: readonly Asked[] = modules.flatMap((documents) => Object.values<Asked>(documents));
/** Only these queries need the extra grant. */
const ofSubscriptions = new Set(Object.values<Asked>(subscriptions));
const services = serviceNames({ scopeSpelling: { prefixes: {}, names: {} } });
const schemas: Readonly<Record<ContentArea, GraphQLSchema>> = {
	todo: buildSchema(schemaText('todo', '2026')),
	lists: buildSchema(schemaText('lists', '2026')),
	git: buildSchema(schemaText('git', '2026')),
};

/** Existing values, by variable name. */
const known: Readonly<Record<string, unknown>> = {
	owner: 'alice',
	name: 'lantern',
	label: 'bug',
	revision: 'master',
	path: 'README.md',
	cursor: undefined,
	from: undefined,
	ids: [],
};
/** An unused number, so that no mutation has an effect. */
const nobodysNumber = 2_147_483_646;

/** A value that fits the schema. */
function valueOf(type: GraphQLInputType, isMutation: boolean): unknown {
	const bare = getNullableType(type);
	const named = getNamedType(bare);
	if (isListType(bare)) {
		return [];
	}
	if (isEnumType(named)) {
		return named.getValues()[0]?.name;
	}
	if (isInputObjectType(named)) {
		const required = Object.values(named.getFields()).filter((field) => isNonNullType(field.type));
		return Object.fromEntries(required.map((field) => [field.name, valueOf(field.type, isMutation)]));
	}
	return named.name === 'Int' ? (isMutation ? nobodysNumber : 1) : 'words';
}

function variablesOf({ document, area }: Asked): Readonly<Record<string, unknown>> {
	const [root] = parse(document.text).definitions;
	assert.ok(root?.kind === 'OperationDefinition');
	const definitions = root.variableDefinitions ?? [];
	return Object.fromEntries(
		definitions.map(({ variable, type }) => {
			const name = variable.name.value;
			const schemaType = typeFromAST(schemas[area], type);
			assert.ok(isInputType(schemaType));
			const isKnown = name in known && !document.isMutation;
			return [name, isKnown ? known[name] : valueOf(schemaType, document.isMutation)];
		}),
	);
}

suite('graphql: missing permissions', () => {
	let forge: SampleForge;
	const tokens = new Map<string, string>();

	suiteSetup(async () => {
		forge = await sharedForge('graphql');
		await forge.reset();
	});

	suiteTeardown(() => forge.reset());

	async function tokenWith(grants: readonly string[]): Promise<string> {
		const key = grants.join(' ');
		const token = tokens.get(key) ?? (await forge.token('alice', grants));
		tokens.set(key, token);
		return token;
	}

	async function errorsWith(operation: Asked, grants: readonly string[]): Promise<readonly GraphqlError[]> {
		const { area, document } = operation;
		const token = await tokenWith(grants);
		// The client omits optional parts of a query if the token lacks their grant.
		const bare = document.droppableGrants.length > 0 ? document.without : undefined;
		const { text } = bare ?? document;
		const answer = await askGraphql(forge, text, { area, token, variables: variablesOf(operation) });
		assert.equal(answer.status, 200, answer.text);
		const errors = fieldsOf(answer.json)['errors'];
		return (Array.isArray(errors) ? errors : []).map((error: unknown) => ({
			message: String(fieldsOf(error)['message']),
			code: undefined,
			field: undefined,
			redirect: undefined,
			path: undefined,
		}));
	}

	const isMissing = ({ message }: GraphqlError): boolean => /missing \w+:R[OW] grant/.test(message);

	for (const operation of asked) {
		const { area, scope, document } = operation;
		const needed = (ofSubscriptions.has(operation) ? grantsOf : neededFor)(scope, services);

		test(`${document.name} of ${area} needs no grant beyond ${scope}`, async () => {
			const errors = await errorsWith(operation, needed);
			assert.deepEqual(errors.filter(isMissing), []);
		});

		test(`${document.name} of ${area} names the permission that the token lacks`, async () => {
			const lacking: string[] = [];
			for (const grant of needed) {
				const others = needed.filter((other) => other !== grant);
				const errors = await errorsWith(operation, [...others, 'meta.sr.ht/PROFILE:RO']);
				if (errors.some(isMissing)) {
					const context = {
						area,
						scope,
						grants: missingGrants(services),
						origin: forge.areas[area],
						nowMs: 0,
						token: 'x',
					};
					const { problem } = problemOfErrors(errors, context);
					assert.ok(problem.kind === 'missingScope', problem.kind);
					if (ofSubscriptions.has(operation) && problem.scope === undefined) {
						assert.match(problem.asWritten, /^todo\.sr\.ht\/SUBSCRIPTIONS:R[OW]$/);
					} else {
						assert.ok(problem.scope !== undefined && areaOfScope(problem.scope) === area, problem.asWritten);
					}
					lacking.push(grant);
				}
			}
			assert.notEqual(lacking.length, 0);
		});
	}
});
