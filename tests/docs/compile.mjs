// Compiles MDX files. Fails if one does not compile, or holds more than text, links to the web and
// within the page, and known components with constant attributes.

import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

const [library, ...files] = process.argv.slice(2);
const { compile } = await import(pathToFileURL(library).href);

const attributes = {
  a: ["id", "href"],
  code: [],
  ResponseField: ["name", "type", "required", "deprecated", "default", "post"],
};
const constants = ["Literal", "ArrayExpression", "JSXText"];
const jsx = ["JSXElement", "JSXFragment", "JSXExpressionContainer"];

let file;

function refuse(what, node) {
  throw new Error(`${file}:${node.position?.start.line}: ${what}`);
}

/** An expression of constants, and JSX of known components with such in it. */
function checkExpression(expression, node) {
  if (constants.includes(expression.type)) {
    for (const element of expression.elements ?? []) checkExpression(element, node);
  } else if (jsx.includes(expression.type)) {
    if (expression.type === "JSXElement") checkElement(expression.openingElement, node);
    for (const child of expression.children ?? []) checkExpression(child, node);
    if (expression.expression) checkExpression(expression.expression, node);
  } else {
    refuse(`an expression: ${expression.type}`, node);
  }
}

function checkElement({ name, attributes: given }, node) {
  if (!(name.name in attributes)) refuse(`an element: ${name.name}`, node);
  for (const attribute of given) {
    if (!attributes[name.name].includes(attribute.name.name)) refuse("an attribute", node);
    if (attribute.name.name === "href" && !attribute.value.value.startsWith("#"))
      refuse("a link", node);
  }
}

function check(node) {
  switch (node.type) {
    case "mdxjsEsm":
      return refuse("a statement", node);
    case "mdxTextExpression":
      return refuse("an expression", node);
    case "mdxFlowExpression":
      // A comment has no body.
      if (node.data.estree.body.length > 0) refuse("an expression", node);
      return;
    case "mdxJsxFlowElement":
    case "mdxJsxTextElement":
      if (!(node.name in attributes)) refuse(`an element: ${node.name}`, node);
      for (const { name, type, value } of node.attributes) {
        if (type !== "mdxJsxAttribute" || !attributes[node.name].includes(name)) {
          refuse(`an attribute: ${name}`, node);
        }
        const body = value?.data?.estree?.body ?? [];
        for (const statement of body) checkExpression(statement.expression, node);
      }
      break;
    case "link":
      if (!/^(https?:\/\/|mailto:|#)/.test(node.url)) refuse(`a link: ${node.url}`, node);
      break;
    case "image":
    case "html":
      return refuse(node.type, node);
  }
  for (const child of node.children ?? []) check(child);
}

/** Front matter is the site's business, not the compiler's. */
function body(text) {
  const [front] =
    /^---\ntitle: ("(?:[^"\\]|\\.)*")\ndescription: ("(?:[^"\\]|\\.)*")\n---\n/.exec(text) ?? [];
  if (front === undefined) throw new Error(`${file}: no front matter`);
  for (const line of front.trim().split("\n").slice(1, -1))
    JSON.parse(line.slice(line.indexOf('"')));
  return text.slice(front.length);
}

for (file of files) {
  const text = body(await readFile(file, "utf8"));
  await compile(text, { remarkPlugins: [() => check] });
}
