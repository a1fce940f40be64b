from __future__ import annotations

import re


def test_the_document_names_every_route_of_the_api(client, app):
    document = client.get("/api/v1/openapi.json").get_json()
    routes = {
        re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule) for rule in app.url_map.iter_rules() if "/api/" in rule.rule
    }

    assert document["openapi"] == "3.1.0"
    assert set(document["paths"]) == routes


def test_every_operation_says_what_it_does_and_takes(client):
    document = client.get("/api/v1/openapi.json").get_json()
    schemas = document["components"]["schemas"]

    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            assert operation["summary"].endswith((".", "?"))
            named = {parameter["name"] for parameter in operation["parameters"] if parameter["in"] == "path"}
            assert named == set(re.findall(r"\{(\w+)\}", path))
            assert ("X-Sightline" in {p["name"] for p in operation["parameters"]}) == (method == "post")
            reference = re.findall(r"#/components/schemas/(\w+)", str(operation))
            assert set(reference) <= set(schemas)
    assert {"RulingQuestion", "Correction", "MapQuestion", "JoinRequest", "Error"} <= set(schemas)


def test_ids_of_operations_are_unique(client):
    paths = client.get("/api/v1/openapi.json").get_json()["paths"]
    ids = [operation["operationId"] for methods in paths.values() for operation in methods.values()]

    assert len(ids) == len(set(ids))
