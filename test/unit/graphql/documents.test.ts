import assert from 'node:assert/strict';
import {
	buildSchema,
	isInterfaceType,
	isObjectType,
	parse,
	TypeInfo,
	validate,
	visit,
	visitWithTypeInfo,
	type GraphQLSchema,
} from 'graphql';
import type { Document, TypeField } from '../../../src/graphql/door/document.ts';
import * as users from '../../../src/graphql/userDocuments.ts';
import * as tickets from '../../../src/graphql/todo/ticketDocuments.ts';
import * as trackers from '../../../src/graphql/todo/trackerDocuments.ts';
import { todoSchema } from '../../support/sampleForge/graphql/todo/todoSchema.ts';

const modules: readonly Readonly<Record<string, { readonly document: Document }>>[] = [users, trackers, tickets];
const documents = modules.flatMap((module) => Object.values(module).map(({ document }) => document));
/** Servers count to 250 or 200. */
const mostPoints = 200;

const ages = ['2026', '2023'] as const;
const schemas = new Map<string, GraphQLSchema>(ages.map((age) => [age, buildSchema(todoSchema(age))]));

/** What each field of a document is and of which type, as the schema has it. */
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

suite('documents of GraphQL', () => {
	for (const document of documents) {
		test(`${document.name} is understood by services of each age, is cheap and changes one thing`, () => {
			for (const [age, schema] of schemas) {
				const lacked = (wanted: TypeField): boolean => {
					const type = schema.getType(wanted.type);
					const isKnown = isObjectType(type) || isInterfaceType(type);
					return wanted.field !== '__typename' && isKnown && !(wanted.field in type.getFields());
				};
				const text = document.withoutFields(lacked);
				const errors = validate(schema, parse(text)).map(({ message }) => message);
				assert.deepEqual(errors, [], age);
				assert.ok(fieldsOf(schema, text).length <= mostPoints);
			}
			const [root] = parse(document.text).definitions;
			assert.ok(root?.kind === 'OperationDefinition');
			assert.equal(root.selectionSet.selections.length, 1);
			assert.equal(document.isMutation, root.operation === 'mutation');
		});

		test(`${document.name} names the type of each of its fields`, () => {
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
