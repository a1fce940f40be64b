"""The API's OpenAPI document, made from the routes and their values."""

from __future__ import annotations

import re
from typing import Any

from flask import Flask

from web.serving.routes import API_ROOT, JSON, DeclaredRoute, json_schema, route_of
from web.serving.security import OWN_HEADER


def openapi_document(app: Flask, version: str) -> dict[str, Any]:
    """Return the OpenAPI 3.1 document of every route under the API's root."""
    paths: dict[str, dict[str, Any]] = {}
    schemas: dict[str, Any] = {"Error": _error_schema()}
    for rule in sorted(app.url_map.iter_rules(), key=lambda rule: rule.rule):
        route = route_of(app, rule.endpoint)
        if route is None or not rule.rule.startswith(API_ROOT):
            continue
        path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            operation = _operation(rule.endpoint, route, sorted(rule.arguments), schemas)
            paths.setdefault(path, {})[method.lower()] = operation
    return {
        "openapi": "3.1.0",
        "info": {"title": "Sightline", "version": version, "license": {"name": "Apache-2.0"}},
        "paths": paths,
        "components": {"schemas": schemas},
    }


def _operation(endpoint: str, route: DeclaredRoute, arguments: list[str], schemas: dict[str, Any]) -> dict[str, Any]:
    parameters = [{"name": a, "in": "path", "required": True, "schema": {"type": "string"}} for a in arguments]
    if route.method == "POST":
        parameters.append({"name": OWN_HEADER, "in": "header", "required": True, "schema": {"type": "string"}})
    operation: dict[str, Any] = {
        "operationId": f"api_{endpoint.rpartition('.')[2]}",
        "summary": route.summary,
        "description": f"Needs: {route.right.name or 'PUBLIC'}",
        "parameters": parameters,
        "responses": {
            str(route.status): {"description": "Done.", "content": {route.gives: {}}},
            "default": {
                "description": "One sentence about what is wrong and what to do.",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
            },
        },
    }
    if route.answer is not None:
        schema, parts = json_schema(route.answer)
        schemas.update(parts)
        operation["responses"][str(route.status)]["content"][route.gives] = {"schema": schema}
    if route.body is not None:
        schema, parts = json_schema(route.body)
        schemas.update(parts)
        operation["requestBody"] = {"required": True, "content": {route.takes: {"schema": schema}}}
    elif route.takes != JSON:
        binary = {"type": "string", "format": "binary"}
        operation["requestBody"] = {"required": True, "content": {route.takes: {"schema": binary}}}
    return operation


def _error_schema() -> dict[str, Any]:
    text_or_null = {"type": ["string", "null"]}
    fields = {
        "status": {"type": "integer"},
        "kind": {"type": "string"},
        "message": {"type": "string"},
        "document": text_or_null,
        "field": text_or_null,
        "rule": {"type": "object", "properties": {"id": {"type": "string"}, "source": {"type": "string"}}},
    }
    inner = {"type": "object", "required": ["status", "kind", "message"], "properties": fields}
    return {"type": "object", "required": ["error"], "properties": {"error": inner}}
